// Tree T of the current task: what may go into it, writing it, and whether a session changed it.
import { judgeSecret } from '../../check/secret.ts';
import { isGuardIntact } from '../../git/protect/protected-files.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { TreeRules } from '../../git/tree/choose-files.ts';
import { withCopy } from '../../git/tree/index-file.ts';
import type { Look } from '../../git/tree/look.ts';
import {
  keepTree,
  type PlainTree,
  type WriteTreeOptions,
  type WrittenTree,
  writePlainTree,
  writeTree,
} from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { stateOf, type Work } from '../work.ts';

/** What writing a tree needs to know of a run. */
type TreePlace = Pick<Place, 'repo' | 'index'> & Readonly<{ run: Pick<Run, 'config' | 'state'> }>;

/** What may go into tree T. */
export function rulesOf(place: TreePlace): TreeRules {
  const state = place.run.state();
  return {
    userUntracked: new Set(state.started.untracked),
    leftOut: new Set(state.leftOut),
    allow: place.run.config.commit.allow,
    include: place.run.config.commit.include,
    maxFileMb: place.run.config.commit.maxFileMb,
  };
}

/** Writes the working tree as a tree; journals nothing. A ref keeps it from a `git gc`, by whomever. `look`: one that still holds. */
export async function writeTreeNow(place: TreePlace, look?: Look): Promise<PlainTree> {
  return kept(place, await writeUnkept(place, look));
}

function writeUnkept(place: TreePlace, look?: Look): Promise<PlainTree> {
  return writePlainTree(place.repo, place.index, { rules: rulesOf(place), secret: judgeSecret, look });
}

/** What is known of the working tree: a look that still holds, and the tree that was written of it last. */
export type Known = Pick<WriteTreeOptions, 'look' | 'last'>;

/** As `writeTreeNow`, its files told against another tree. */
export async function writeTreeAgainst(
  place: TreePlace,
  against: string,
  known: Known = {},
): Promise<WrittenTree> {
  const rules = rulesOf(place);
  const options = { against, rules, secret: judgeSecret, ...known };
  return kept(place, await writeTree(place.repo, place.index, options));
}

/** The tree that each run's index was kept as last. */
const lastKept = new Map<string, string>();

async function kept<T extends PlainTree>({ repo, index, run }: TreePlace, written: T): Promise<T> {
  // Where nothing differs it is the tree of HEAD, which the rescue points keep.
  if (written.look.entries.length === 0) return written;
  if (lastKept.get(index) !== written.tree) await keepTree(repo, run.state().started.run, written.tree);
  lastKept.set(index, written.tree);
  return written;
}

/** The tree as it is beside a working agent, told to nobody; undefined when git would obey what the agent changed. */
export async function peekAtTree(place: TreePlace, before: Snapshot): Promise<string | undefined> {
  if (!isGuardIntact(place.repo, before.guarded)) return undefined;
  const written = await withCopy(place.index, 'peek', (index) => writeUnkept({ ...place, index }));
  return written.tree;
}

/** True when a session changed the tree since the task's first start. */
export function isChanged(place: Place, work: Work, tree: string): boolean {
  return !stateOf(place, work.task).untouched.includes(tree);
}
