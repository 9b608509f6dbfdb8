// A person's untracked files that somebody still writes to: pawl's own output, and logs. Put back, they would lose what
// is written from then on.
import { fstatSync } from 'node:fs';
import path from 'node:path';
import { classify, isCode } from '../../check/classes.ts';
import { rawOf } from '../../git/run/names.ts';
import { readObjects } from '../../git/run/read-objects.ts';
import { readEntry, statAt } from '../../git/tree/entry.ts';
import { orElse } from '../../or-else.ts';
import { type Place, untrackedIn } from '../../place/place.ts';

/** The others. `oid`: what the file was. Code and settings are no logs, though they only grew. */
export async function withoutLive<T extends Readonly<{ file: string; oid: string }>>(
  place: Place,
  files: readonly T[],
): Promise<readonly T[]> {
  const { root } = place.repo;
  const own = new Set(untrackedIn(place));
  const logs = files.filter(({ file }) => own.has(file) && !isCode(file) && classify(file) !== 'config');
  const oids = logs.map(({ oid }) => oid);
  const blobs = await readObjects(place.repo, oids);
  const isLive = ({ file }: T, at: number) =>
    isOutput(root, file) || hasGrown(path.join(root, file), blobs[at]?.body);
  const live = new Set(logs.filter(isLive));
  return files.filter((one) => !live.has(one));
}

/** As by `pawl run … > night.log`. */
export function isOutput(root: string, file: string): boolean {
  const found = statAt(root, rawOf(file));
  const outputs = [1, 2].map((fd) => orElse(() => fstatSync(fd), undefined));
  return outputs.some((one) => one !== undefined && one.ino === found?.ino && one.dev === found.dev);
}

/** What was empty may as well have been filled by a session. */
function hasGrown(file: string, was: Buffer = Buffer.alloc(0)): boolean {
  const now = readEntry(file);
  const isLonger = now.kind === 'file' && was.length > 0 && now.bytes.length > was.length;
  return isLonger && now.bytes.subarray(0, was.length).equals(was);
}
