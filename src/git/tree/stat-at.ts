// Stats a name in a work tree that others write to, without following links.
import { lstatSync, type Stats } from 'node:fs';
import { pathOf } from '../run/names.ts';

/** Undefined where nothing stands, or where a folder of its path is something else by now. Raw name. */
export function statAt(root: string, raw: string): Stats | undefined {
  try {
    return lstatSync(pathOf(root, raw), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
