// Reads files from a tree or commit, without the work tree.
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';

/** Files that the tree lacks are left out. */
export async function readBlobs(
  repo: Repo,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A path with a newline cannot be asked for like this.
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
