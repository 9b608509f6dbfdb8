// What to do after a run.
import { commandAgain, pushCommand } from '../../event/again.ts';
import type { RunEnd, RunState } from '../../journal/state.ts';
import { closeOf, type TaskStanding } from '../../journal/task-state.ts';
import { shellWord } from '../../shell-word.ts';
import { type Block, code, type Piece, piecesOf, plain } from '../text/block.ts';
import { isOid, shortOid } from '../text/figure.ts';
import type { RunView } from './run-view.ts';

type Pieces = readonly Piece[];

export function nextBlocks(state: RunState, view: RunView): readonly Block[] {
  const hints = new Set(state.course.ended?.reasons.flatMap(({ hint }) => hint ?? []) ?? []);
  return [...[...hints].map(piecesOf), ...nextPieces(state, view)].map((pieces) => plain(...pieces));
}

function nextPieces(state: RunState, view: RunView): readonly Pieces[] {
  const { ended } = state.course;
  const run = code(commandAgain(state));
  const plan = findWritten(state);
  if (plan !== undefined) return [['Run it: ', code(`pawl run ${shellWord(plan)}`)]];
  if (!ended) return [resume(run)];
  if (state.carry?.fenced || ended.exit === 2) return [];
  if (ended.exit === 0 || ended.exit === 4) return afterWork(state, view, run);
  const look = ended.exit === 1 && ended.difference?.files !== 0 ? lookOf(state) : [];
  return [...decisions(state), ...continuation(state, ended, run), ...look];
}

const resume = (run: Piece): Pieces => ['Continue where it stopped: ', run];

function decisions({ tasks }: RunState): readonly Pieces[] {
  const of = (is: TaskStanding['is'], say: (id: string) => Pieces) =>
    [...tasks.values()].filter(({ standing }) => standing.is === is).map(({ id }) => say(id));
  return [
    ...of('parked', (id) => [`Answer task ${id}: `, code(`pawl answer ${id} "…"`)]),
    ...of('skipped', (id) => [`Work on task ${id} again, which was skipped: `, code(`pawl retry ${id}`)]),
  ];
}

/** The reason itself usually says what has to be put right, or how to raise a budget. */
function continuation(state: RunState, { exit, reasons }: RunEnd, run: Piece): readonly Pieces[] {
  const hasHint = reasons.some((reason) => reason.exit === exit && reason.hint !== undefined);
  if (exit === 5 && !hasHint)
    return [['Raise the budget and continue: ', code(commandAgain(state, '--max-cost N '))]];
  if (exit === 7 && !hasHint) return [['See what the agent lacks: ', code('pawl doctor')], resume(run)];
  return exit === 5 ? [] : [resume(run)];
}

function lookOf({ started: { base, branch } }: RunState): readonly Pieces[] {
  return [['Review the work: ', code(`git log --stat ${shellWord(`${shortOid(base)}..${branch}`)}`)]];
}

function afterWork(state: RunState, { review }: RunView, run: Piece): readonly Pieces[] {
  const { started, fixes, carry, worktree } = state;
  const { ended } = state.course;
  const findings = code('pawl report --findings');
  if (started.review?.reportOnly) return [['Read what was found: ', findings]];
  // A review with nothing to fix leaves nothing to look at.
  const hasWork = !started.review || [...fixes.values()].some(closeOf);
  const look = hasWork ? lookOf(state) : [];
  if (!ended?.finished) return [...look, ['Continue: ', run]];
  const rest: readonly Pieces[] = carry?.failed
    ? [[`Carry the rest to ${carry.remote}, as soon as that works: `, code(pushCommand({ ...state, carry }))]]
    : [];
  const open: readonly Pieces[] = review?.unsettled.length
    ? [['Read the findings that are open: ', findings]]
    : [];
  const command = mergeCommand(state);
  const plan = hasOpenPlan(state) ? ' (your uncommitted copy of the plan goes to the stash)' : '';
  const where = worktree ? `Merge it into the branch you are on${plan}: ` : 'Merge it: ';
  const merge: readonly Pieces[] = command === undefined ? [] : [[where, code(command)]];
  return ended.exit === 0 ? [...rest, ...look, ...merge] : [...rest, ...open, ...look];
}

/** Into the branch from which the run's own was created; undefined if it worked on one of the person's. */
export function mergeCommand(state: RunState): string | undefined {
  const { started, worktree, branchFrom: into } = state;
  const merge = `git merge ${shellWord(started.branch)}`;
  if (worktree) {
    // Into the stash, since what a person changed in that copy is nowhere else.
    const first = hasOpenPlan(state) ? `git stash push -u -- ${shellWord(`:/${started.plan}`)} && ` : '';
    return first + merge;
  }
  const isNone = into === undefined || into === started.branch || isOid(into);
  return isNone ? undefined : `git switch ${shellWord(into)} && ${merge}`;
}

/** In the tree where the run was started the plan is as it was, in no commit: it would stay open, or stop the merge. */
function hasOpenPlan({ worktree, planCommitted }: RunState): boolean {
  return worktree !== undefined && planCommitted !== undefined;
}

export function findWritten({ dialogue }: Pick<RunState, 'dialogue'>): string | undefined {
  const last = dialogue.at(-1);
  return last?.state === 'written' ? last.to : undefined;
}
