// Reads many objects with one process, `git cat-file --batch` (git 2.39).
import type { Repo } from './repo.ts';

export type ObjectRead = Readonly<{ oid: string; kind: string; body: Buffer }>;

/** In order; undefined where there is none. Names must not contain a newline. */
export async function readObjects(
  repo: Repo,
  names: readonly string[],
): Promise<readonly (ObjectRead | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join('');
  const output = await repo.bytes(['cat-file', '--batch'], { input });
  let at = 0;
  return names.map(() => {
    const end = output.indexOf('\n', at);
    const [, oid, kind, length] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (oid === undefined || kind === undefined) return undefined;
    const body = output.subarray(at, at + Number(length));
    at += body.length + 1;
    return { oid, kind, body };
  });
}
