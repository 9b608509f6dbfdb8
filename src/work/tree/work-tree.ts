// Tree T of the current task: what may go into it, and writing it.
import { asksForRunner, runnerOf } from '../../check/host-programs.ts';
import { declaresFile } from '../../check/names-file.ts';
import { readLoose } from '../../git/protect/snapshot.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { TreeRules } from '../../git/tree/choose-files.ts';
import { type Look, lookAtTree } from '../../git/tree/look.ts';
import { countChanges } from '../../git/tree/raw-diff.ts';
import { keepTree, type PlainTree, type WrittenTree, writeTree } from '../../git/tree/tree.ts';
import type { RunState } from '../../journal/state.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import type { WorkPlace } from '../landing.ts';
import { stateOf, type Work } from '../work.ts';

type TreePlace = Pick<Place, 'repo' | 'index' | 'lane' | 'sandbox'> &
  Readonly<{ run: Pick<Run, 'config' | 'state'> }>;

export function rulesOf(place: TreePlace): TreeRules {
  return {
    userUntracked: new Set(untrackedIn(place)),
    leftOut: new Set(leftOutIn(place)),
    include: place.run.config.commit.include,
    forbids: place.sandbox && ((file) => forbidRunner(place, file)),
  };
}

/** What a sandbox holds back must not run outside once committed, unless a person's plan asks for it. */
function forbidRunner({ run }: TreePlace, file: string): string | undefined {
  const who = runnerOf(file);
  if (who === undefined) return undefined;
  for (const { files, text } of run.state().leave.values())
    if (files.some((glob) => declaresFile(glob, file)) || asksForRunner(text, file)) return undefined;
  return `makes ${who} on the person's machine run a program, and no task of the plan asks for it; remove it, or ask for it to be named under \`files:\``;
}

/** Each holds while nothing is journaled, as a session and every wait are, and HEAD stays. */
const lastLooks = new WeakMap<RunState, Readonly<{ index: string; look: Look }>>();

export function noteLook({ run, index }: TreePlace, look: Look): void {
  lastLooks.set(run.state(), { index, look });
}

/** Asks git only if anything may have happened since the last one. */
export async function lookNow(place: TreePlace): Promise<Look> {
  const { repo, run, index } = place;
  const last = lastLooks.get(run.state());
  if (last?.index === index && last.look.head.commit === readLoose(repo)) return last.look;
  const look = await lookAtTree(repo, index);
  noteLook(place, look);
  return look;
}

/** Journals nothing. A ref protects it from `git gc`. `look`: still valid. */
export async function writeTreeNow(place: TreePlace, look?: Look): Promise<PlainTree> {
  return kept(place, await writeTree(place.repo, place.index, { rules: rulesOf(place), look }));
}

/** A commit would take nothing: tree T is HEAD's. */
export async function isTreeOfHead(place: TreePlace): Promise<boolean> {
  const look = await lookNow(place);
  if (look.entries.length === 0) return true;
  const head = (await place.repo.git(['rev-parse', 'HEAD^{tree}'])).trim();
  return (await writeTreeNow(place, look)).tree === head;
}

/** The tree last kept, by the run's index. */
const lastKept = new Map<string, string>();

async function kept({ repo, index, run }: TreePlace, written: PlainTree): Promise<PlainTree> {
  // Without differences it is HEAD's tree, which rescue points keep.
  if (written.look.entries.length === 0) return written;
  if (lastKept.get(index) !== written.tree) await keepTree(repo, run.state().started.run, written.tree);
  lastKept.set(index, written.tree);
  return written;
}

export function isChanged(place: Place, work: Work, tree: string): boolean {
  return !stateOf(place, work.task).untouched.includes(tree);
}

export async function writeWorkTree(
  place: WorkPlace,
  work: Work,
  by: 'session' | 'check' | 'person',
  known: Readonly<{ look?: Look | undefined; last?: WrittenTree }> = {},
): Promise<WrittenTree> {
  const { repo, index } = place;
  const plain = await writeTree(repo, index, { rules: rulesOf(place), look: known.look });
  const [files] = await Promise.all([
    plain.tree === known.last?.tree ? known.last.files : changedFiles(repo, work.start.tree, plain.tree),
    kept(place, plain),
  ]);
  const written = { ...plain, files };
  const task = work.task.id;
  const { untouched, tree: last = work.start.tree } = stateOf(place, work.task);
  const { tree } = written;
  const isUntouched = untouched.includes(tree) || (by !== 'session' && untouched.includes(last));
  const changes = countChanges(written.files);
  place.run.emit({ type: 'tree-written', task, tree, ...changes, by, untouched: isUntouched });
  for (const refused of written.refused) place.run.emit({ type: 'file-refused', task, ...refused });
  return written;
}
