// Files as a tree or commit holds them, read without the work tree.
import type { Repo } from './repo.ts';

/** The bytes of each file as the tree holds them, in UTF-8; undefined where it holds none by that path. */
export async function readBlobs(
  repo: Repo,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  // A path with a line end can't be asked for in this way: it is as if it were not there.
  const asked = files.filter((file) => !file.includes('\n'));
  const input = asked.map((file) => `${tree}:${file}\n`).join('');
  const output = asked.length === 0 ? Buffer.alloc(0) : await repo.bytes(['cat-file', '--batch'], { input });
  const found = new Map<string, string | undefined>();
  let at = 0;
  for (const file of asked) {
    const end = output.indexOf('\n', at);
    const [, kind, length] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    const size = kind === undefined ? -1 : Number(length);
    if (kind === 'blob') found.set(file, output.toString('utf8', end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return found;
}
