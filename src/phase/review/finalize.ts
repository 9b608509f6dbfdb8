// The finalizing: after a review that ended well one session works by the user's own prompt, under the whole guard of a
// task. It may put the run's commits in order; one that fails leaves files and history as they were before.
import { headNow } from '../../event/rewritten.ts';
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import { uncommit } from '../../git/commit.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import type { RunState } from '../../journal/state.ts';
import type { Context } from '../../place/context.ts';
import { workBeside } from '../../work/auxiliary-work.ts';
import { reasonOfStop, type Stop } from '../../work/stopped.ts';
import { stateOf } from '../../work/work.ts';

/** How the finalizing ended: what keeps the run from exit 0, and whether it came to its end. */
export type FinalizeEnd = Readonly<{ reasons: readonly EndReason[]; ended: boolean }>;

const task = { id: 'finalize', title: 'Finalize the work' } as const;

/** Has the work finalized, or goes on with that. `isClean`: the review left nothing to a person; without that it is passed over. */
export async function finalizeWork(
  ctx: Context,
  { isClean }: Readonly<{ isClean: boolean }>,
): Promise<FinalizeEnd> {
  const { finalizing, phasesEnded } = ctx.state();
  const isAsked = ctx.config.finalize.prompt !== undefined;
  if (phasesEnded.includes('finalize') || (!isAsked && !finalizing))
    return { reasons: reasonsOfFinalize(ctx.state()), ended: true };
  ctx.emit({ type: 'phase-started', phase: 'finalize' });
  if (!finalizing && !isClean) {
    const text = 'The work was not finalized, since the review left something to a person';
    ctx.emit({ type: 'noticed', code: 'not-finalized', text });
  } else {
    if (!finalizing) ctx.emit({ type: 'finalize-started', task: task.id, title: task.title });
    const stop =
      isAsked || finalizing?.ended ? await work(ctx) : await giveUp(ctx, 'it is not asked for any more');
    if (stop) return { reasons: [reasonOfStop(ctx, stop)], ended: false };
  }
  ctx.emit({ type: 'phase-ended', phase: 'finalize', reason: formatEnd(ctx.state()) });
  return { reasons: reasonsOfFinalize(ctx.state()), ended: true };
}

/** The reasons against exit 0: a finalizing that failed, though the work it was to finish stands. */
export function reasonsOfFinalize({ finalizing }: Pick<RunState, 'finalizing'>): readonly EndReason[] {
  const { ended } = finalizing ?? {};
  if (ended?.result !== 'failed') return [];
  const text = `the work was not finalized: ${ended.reason}`;
  return [{ exit: exitCodes.notClean, code: 'finalize', text }];
}

/** Why the run has to stop; undefined when it came to its end, which then is journaled. */
function work(ctx: Context): Promise<Stop | undefined> {
  return workBeside(ctx, task.id, {
    tellClosed: ({ reason, oid }) => ctx.emit({ type: 'finalize-ended', result: 'committed', reason, oid }),
    giveUp: (reason) => giveUp(ctx, reason),
  });
}

async function giveUp(ctx: Context, reason: string): Promise<undefined> {
  const { start } = stateOf(ctx, task);
  if (start) await takeHistoryBack(ctx, start.commit);
  const rescue = start && (await ctx.hands.restoreStart(ctx, { start }, 'the work was not finalized'));
  ctx.emit({
    type: 'finalize-ended',
    result: 'failed',
    reason,
    ...(rescue === undefined ? {} : { rescue }),
  });
}

/** The commits of before, which hold the same files; one that a person made since stays where it is. */
async function takeHistoryBack(ctx: Context, start: string): Promise<void> {
  const head = await readHeadCommit(ctx.repo);
  if (head === start || head !== headNow(ctx.state(), start)) return;
  await uncommit(ctx.repo, { run: ctx.run.id, oid: head, parent: start });
}

function formatEnd({ finalizing }: RunState): string {
  const { ended } = finalizing ?? {};
  return ended ? `${ended.result}: ${ended.reason}` : 'the review left something to a person';
}
