// The end of a run's process: one exit code for all reasons, the tree it leaves, the report.
import path from 'node:path';
import type { EndReason } from '../event/run.ts';
import type { FactOf } from '../event.ts';
import { asFailure, exitCodes, type Failure, pickExit } from '../failure.ts';
import { readHead } from '../git/snapshot.ts';
import { dayOf } from '../journal/day.ts';
import { inRun } from '../journal/folder.ts';
import type { RunState } from '../journal/state.ts';
import type { Context } from '../place/context.ts';
import { leaveTree } from '../work/rescue/leave-tree.ts';
import { setWorkAside } from '../work/rescue/set-aside.ts';
import { writeFileAtomic } from '../write-file.ts';
import { goesOn } from './queue.ts';
import type { TasksEnd } from './tasks.ts';

/** How a `pawl run` ended. */
export type RunEnd = Readonly<{
  exit: number;
  reasons: readonly EndReason[];
  finished: boolean;
  /** Why the report was not written: it is an export, and `pawl report` makes it again. */
  unwritten?: Failure;
}>;

/** Reasons that a run has besides its tasks' own. */
export function reasonsOf(state: RunState, tasks: TasksEnd, allowUnchecked: boolean): readonly EndReason[] {
  const unchecked = [...state.tasks.values(), ...state.fixes.values()].filter(
    (task) => task.closed?.proof === 'unchecked' && task.standing === 'closed',
  );
  const open: EndReason[] =
    tasks.allClosed || tasks.reasons.length > 0
      ? []
      : [
          {
            exit: exitCodes.done,
            code: 'tasks-left',
            text: `${tasks.reason}; the same command goes on`,
          },
        ];
  const notProven: EndReason[] =
    unchecked.length === 0 || allowUnchecked
      ? []
      : [
          {
            exit: exitCodes.notClean,
            code: 'unchecked',
            text: `closed without a check's proof: task ${unchecked.map((task) => task.id).join(', ')}`,
            hint: 'Give them a check, or accept them with --allow-unchecked.',
          },
        ];
  return [...tasks.reasons, ...open, ...notProven];
}

/** What a Failure says, as a reason. */
export function reasonOfFailure(failure: Failure): EndReason {
  return {
    exit: failure.exit,
    code: failure.code,
    text: failure.message,
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  };
}

/** Journals the end, with the tree as it is left, and writes the report. A start that was not `settled` left nothing: what the last one left still holds, so that a change it refused is not accepted by asking twice. */
export async function finish(
  ctx: Context,
  reasons: readonly EndReason[],
  options: { finished: boolean; settled: boolean; report: (state: RunState) => string },
): Promise<RunEnd> {
  const exit = pickExit(reasons.map((reason) => reason.exit));
  // In a queue the next plan finds a clean tree; where the queue ends, the tree stays as a single run leaves it, as one of its own does.
  const isShared = ctx.options.queue !== undefined && ctx.state().worktree === undefined;
  const follows = isShared && goesOn(exit, ctx.state(), dayOf(ctx.now()).day);
  if (follows && options.settled && !options.finished) await setWorkAside(ctx);
  const left = await whatIsLeft(ctx, options.settled);
  ctx.emit({
    type: 'run-ended',
    exit,
    reasons: [...reasons],
    retryable: !options.finished,
    finished: options.finished,
    ...left,
  });
  const unwritten = writeReport(ctx, options.report(ctx.state()));
  return { exit, reasons, finished: options.finished, ...(unwritten ? { unwritten } : {}) };
}

function writeReport(ctx: Context, text: string): Failure | undefined {
  try {
    writeFileAtomic(path.join(ctx.run.folder, inRun.report), text, 0o600);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure) return failure;
    throw error;
  }
}

/** What a process leaves to the next start. */
type Left = Pick<FactOf<'run-ended'>, 'tree' | 'head' | 'refused'>;

/** A start that was refused leaves what the stop before it had left; after a kill that is nothing, and it is looked at anew. */
async function whatIsLeft(ctx: Context, settled: boolean): Promise<Left> {
  const isFirst = ctx.options.leftTree === undefined && ctx.state().sessions.size === 0;
  return settled || isFirst ? treeLeft(ctx) : leftBefore(ctx.options);
}

/** What the stop before this start had left. */
export function leftBefore({ leftTree, leftHead, leftRefused }: Context['options']): Left {
  if (leftTree === undefined) return {};
  return {
    tree: leftTree,
    ...(leftHead === undefined ? {} : { head: leftHead }),
    ...(leftRefused === undefined ? {} : { refused: [...leftRefused] }),
  };
}

/** The tree and HEAD as they are, so that the next start can tell what changed meanwhile; empty where git fails, and on a branch that is not the run's. */
async function treeLeft(ctx: Context): Promise<Left> {
  // To write a tree would be a change.
  if (ctx.options.review?.reportOnly || ctx.options.planning) return {};
  if (readHead(ctx.repo).branch !== ctx.state().started.branch) return {};
  try {
    const { refused, ...left } = await leaveTree(ctx);
    return refused.length === 0 ? left : { ...left, refused: [...refused] };
  } catch (error) {
    if (asFailure(error)) return {};
    throw error;
  }
}
