// Whether a ref certainly does not exist, found without git.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../run/repo.ts';

/** False if in doubt. */
export function isNoRef(place: Pick<Repo, 'commonDir'>, ref: string): boolean {
  const at = (name: string): string => path.join(place.commonDir, name);
  if (existsSync(at('reftable')) || existsSync(at(ref))) return false;
  try {
    return !existsSync(at('packed-refs')) || !readFileSync(at('packed-refs'), 'latin1').includes(` ${ref}\n`);
  } catch {
    return false;
  }
}
