// Reads files from a tree or commit, without the work tree.
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';

/** The text of each file as the tree holds it; a file that it does not hold by that path is left out. */
export async function readBlobs(
  repo: Repo,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A path with a line end can't be asked for in this way: it is as if it were not there.
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
