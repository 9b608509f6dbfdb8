// Keeps the commits that branches, tags and stash entries name while sessions work, so that a session that deletes them and
// prunes destroys nothing, and their names can be restored. Decides nothing about them.
import type { Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { keepTree } from '../tree/tree.ts';
import { commitPoint } from './rescue-commit.ts';

/** How many are kept, the stash and branches first; a command line takes no more. */
const mostHeld = 10_000;

/** What was last kept in each repository. */
const lastHeld = new WeakMap<Repo, string>();

/**
 * Makes one commit of pawl's own with all of them as parents, if they have changed since last time. `known`: commits that
 * are kept anyway. For an annotated tag, its commit is kept.
 */
export async function holdRefs(
  repo: Repo,
  run: string,
  { refs, stashes, known }: Readonly<{ refs: Refs; stashes: readonly string[]; known: readonly string[] }>,
): Promise<void> {
  const named = [...stashes, ...[...refs].sort().map(([, oid]) => oid)];
  const oids = [...new Set(named)].filter((oid) => !known.includes(oid)).slice(0, mostHeld);
  const key = oids.join(' ');
  if (oids.length === 0 || lastHeld.get(repo) === key) return;
  const input = oids.map((oid) => `${oid}^{commit}\n`).join('');
  const found = await repo.git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { input });
  const parents = [...new Set(found.match(/(?<=^commit )[0-9a-f]+$/gm))];
  const message = 'what branches, tags and stash named before a session\n';
  if (parents.length > 0)
    await keepTree(repo, run, await commitPoint(repo, 'HEAD^{tree}', { parents, message }), 'held');
  lastHeld.set(repo, key);
}
