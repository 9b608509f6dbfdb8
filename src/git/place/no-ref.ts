// Whether a ref certainly does not exist, found without git, for commands that end before starting any program.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../run/repo.ts';

/**
 * True if the files show that there is no such ref: it is neither loose nor packed, and refs are not stored in another way.
 */
export function isNoRef(place: Pick<Repo, 'commonDir'>, ref: string): boolean {
  const at = (name: string): string => path.join(place.commonDir, name);
  if (existsSync(at('reftable')) || existsSync(at(ref))) return false;
  try {
    return !existsSync(at('packed-refs')) || !readFileSync(at('packed-refs'), 'latin1').includes(` ${ref}\n`);
  } catch {
    return false;
  }
}
