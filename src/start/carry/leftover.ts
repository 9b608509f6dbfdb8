// What an earlier life of a run left in its working tree: if it ended, what is as it was then; if it was killed, everything
// that is in no commit and was not there before the run. When the run comes back, that goes into a rescue point; everything
// else is a person's.
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { restoreTree, saveRescue } from '../../git/rescue/rescue.ts';
import { chooseRescued } from '../../git/rescue/rescue-point.ts';
import type { Repo } from '../../git/run/repo.ts';
import { setIndex, withCopy } from '../../git/tree/index-file.ts';
import { readStatus, type StatusEntry } from '../../git/tree/status.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { runsFolder } from '../../journal/run-files.ts';
import type { RunState } from '../../journal/state.ts';
import { rescueOptionsOf } from '../open-place.ts';

/** Names of changed or new files left by the run's earlier life here, as far as a rescue point can hold them. */
export async function findLeftover(
  tree: Repo,
  entries: readonly StatusEntry[],
  local: RunState,
): Promise<ReadonlySet<string>> {
  const users = new Set(local.started.untracked);
  const own = entries.filter(
    ({ file, kind, gitlink }) => kind !== 'unmerged' && !gitlink && !users.has(file),
  );
  if (!local.ended) {
    const { notHeld } = chooseRescued(tree.root, own, { include: [] });
    const left = new Set(notHeld.map(({ file }) => file));
    return new Set(own.map(nameOf).filter((file) => !left.has(file)));
  }
  const known = local.ended.tree;
  if (known === undefined) return new Set();
  const index = path.join(runsFolder(tree.home), local.started.run, 'index');
  const other = await withCopy(index, 'left', async (copy) => {
    await setIndex(tree, known, copy);
    return (await readStatus(tree, { index: copy })).entries;
  });
  const strange = new Set(other.filter(({ work, kind }) => work !== '.' || kind !== 'tracked').map(nameOf));
  return new Set(own.filter(({ staged, file }) => staged === '.' && !strange.has(file)).map(nameOf));
}

function nameOf({ file }: StatusEntry): string {
  return file;
}

/** Takes them out of the tree; returns the rescue point that holds them. */
export async function setLeftoverAside(
  tree: Repo,
  { run, config, leftover }: Readonly<{ run: string; config: Config; leftover: ReadonlySet<string> }>,
): Promise<string> {
  const folder = path.join(runsFolder(tree.home), run);
  const reason = 'what the run had left here, when it came back from another machine';
  const rescue = await saveRescue(tree, { ...rescueOptionsOf(config, { run, folder }), reason });
  const untracked = (await listUntracked(tree)).filter((file) => !leftover.has(file));
  const index = path.join(folder, 'index');
  await restoreTree(tree, { tree: 'HEAD^{tree}', index, keep: new Set(untracked), rescue: rescue.oid });
  // What was staged is in the rescue point too.
  await tree.write('unstage', ['reset', '-q']);
  return rescue.oid;
}
