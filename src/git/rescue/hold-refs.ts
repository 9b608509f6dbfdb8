// Keeps the commits that branches, tags and stash name, so that a session that deletes and prunes destroys nothing.
import type { Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { keepTree } from '../tree/tree.ts';
import { commitPoint } from './rescue-commit.ts';

/** Commits, stash and branches first; a command line takes no more. */
const mostHeld = 10_000;

const lastHeld = new WeakMap<Repo, string>();

/** One commit has them all as parents. `known`: kept anyway. Of an annotated tag, its commit is kept. */
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
