// Reads files from a tree or commit, without the work tree.
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';

/** The text of each file in the tree; files that the tree does not have at that path are left out. */
export async function readBlobs(
  repo: Repo,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A path with a newline cannot be asked for in this way, and counts as missing.
  const asked = files.filter((file) => !file.includes('\n'));
  const objects = await readObjects(
    repo,
    asked.map((file) => `${tree}:${file}`),
  );
  const blobs = asked.flatMap((file, at): [string, string][] => {
    const object = objects[at];
    return object?.kind === 'blob' ? [[file, object.body.toString('utf8')]] : [];
  });
  return new Map(blobs);
}
