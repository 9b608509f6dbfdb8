// What an earlier life of a run left in its working tree, where it is known to be the run's: the tree is as the run left it, or
// carried it last. When the run comes back that goes into a rescue point; whatever else is there is a person's.
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { asFailure } from '../../failure.ts';
import { readCarried } from '../../git/carry/carried-commit.ts';
import { restoreTree, saveRescue } from '../../git/rescue/rescue.ts';
import type { Repo } from '../../git/run/repo.ts';
import { setIndex, withCopy } from '../../git/tree/index-file.ts';
import { readStatus, type StatusEntry } from '../../git/tree/status.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { runsFolder } from '../../journal/run-files.ts';
import type { RunState } from '../../journal/state.ts';
import { rescueOptionsOf } from '../open-place.ts';

/** Names of the files, changed or new, that are as the run's earlier life here left them. */
export async function findLeftover(
  tree: Repo,
  entries: readonly StatusEntry[],
  local: RunState,
): Promise<ReadonlySet<string>> {
  const known = local.ended ? local.ended.tree : await readCarriedWork(tree, local.carry?.oid);
  if (known === undefined) return new Set();
  const index = path.join(runsFolder(tree.commonDir), local.started.run, 'index');
  const other = await withCopy(index, 'left', async (copy) => {
    await setIndex(tree, known, copy);
    return (await readStatus(tree, { index: copy })).entries;
  });
  const strange = new Set(other.filter(({ work, kind }) => work !== '.' || kind !== 'tracked').map(nameOf));
  const own = entries.filter(({ staged, gitlink }) => staged === '.' && !gitlink).map(nameOf);
  const users = new Set(local.started.untracked);
  return new Set(own.filter((file) => !strange.has(file) && !users.has(file)));
}

function nameOf({ file }: StatusEntry): string {
  return file;
}

async function readCarriedWork(repo: Repo, oid: string | undefined): Promise<string | undefined> {
  try {
    return oid === undefined ? undefined : (await readCarried(repo, oid, undefined, 'owner.json')).work;
  } catch (error) {
    // It was pushed, and is not kept here any more.
    if (asFailure(error)) return undefined;
    throw error;
  }
}

/** Takes it out of the tree; the rescue point that holds it. */
export async function setLeftoverAside(
  tree: Repo,
  { run, config, leftover }: Readonly<{ run: string; config: Config; leftover: ReadonlySet<string> }>,
): Promise<string> {
  const folder = path.join(runsFolder(tree.commonDir), run);
  const reason = 'what the run had left here, when it came back from another machine';
  const rescue = await saveRescue(tree, { ...rescueOptionsOf(config, { run, folder }), reason });
  const untracked = (await listUntracked(tree)).filter((file) => !leftover.has(file));
  const index = path.join(folder, 'index');
  await restoreTree(tree, { tree: 'HEAD^{tree}', index, keep: new Set(untracked), rescue: rescue.oid });
  return rescue.oid;
}
