// The fixer of a round: its findings become one piece of work under the whole guard of a task, and how that came out is told
// once. Work that stayed red is in a rescue, and the tree is as it was.
import type { FindingState } from '../journal/fold-review.ts';
import type { TaskState } from '../journal/state.ts';
import { isOver, plannedTask } from './fix.ts';
import type { Context } from './phase.ts';
import type { Stop } from './stopped.ts';
import { takePlan } from './take-plan.ts';
import { type TaskEnd, workTask } from './task.ts';
import { stateOf } from './work.ts';

type Where = Readonly<{ stage: string; round: number }>;

/** Makes findings of a round a piece of work. */
export function planFix(
  ctx: Context,
  { stage, round, findings }: Where & Readonly<{ findings: readonly FindingState[] }>,
): void {
  const [only] = findings;
  const title = only && findings.length === 1 ? only.finding.title : `${findings.length} findings`;
  const ids = findings.map(({ id }) => id);
  ctx.emit({ type: 'fix-planned', task: idOf({ stage, round }), title, stage, round, findings: ids });
}

/** Whether the round has come to its fixer. */
export function isPlanned(ctx: Context, { name }: Readonly<{ name: string }>, round: number): boolean {
  return ctx.state().fixes.has(idOf({ stage: name, round }));
}

/** Has the findings mended, or goes on with that; undefined when it came to an end, which then is journaled. */
export async function mendFindings(ctx: Context, where: Where): Promise<Stop | undefined> {
  const task = { id: idOf(where) };
  if (isOver(ctx, { fix: where })) return undefined;
  if (stateOf(ctx, task).closed) return tellClosed(ctx, where);
  const truth = await takePlan(ctx);
  const end = await workTask(ctx, truth, plannedTask(ctx, truth, task.id));
  switch (end.kind) {
    case 'closed':
      return tellClosed(ctx, where);
    case 'stopped': {
      const { kind: _, ...stop } = end;
      return stop;
    }
    case 'failed':
    case 'parked':
    case 'skipped':
    case 'dropped':
    case 'replan':
      return giveUp(ctx, where, end);
  }
}

/** What had nothing to commit was told as it ended. */
function tellClosed(ctx: Context, where: Where): undefined {
  if (isOver(ctx, { fix: where })) return undefined;
  const { closed } = stateOf(ctx, { id: idOf(where) });
  if (!closed) throw new Error(`${idOf(where)} was closed without a commit`);
  ctx.emit({ type: 'fix-ended', ...where, result: 'committed', reason: closed.reason, oid: closed.oid });
}

async function giveUp(
  ctx: Context,
  where: Where,
  end: Exclude<TaskEnd, { kind: 'closed' | 'stopped' }>,
): Promise<undefined> {
  const { start }: TaskState = stateOf(ctx, { id: idOf(where) });
  const reason = end.kind === 'parked' ? `the fixer asks a person: ${end.reason}` : end.reason;
  const rescue = start && (await ctx.hands.restoreStart(ctx, { start }, `${idOf(where)} was not fixed`));
  ctx.emit({
    type: 'fix-ended',
    ...where,
    result: 'unfixed',
    reason,
    ...(rescue === undefined ? {} : { rescue }),
  });
}

function idOf({ stage, round }: Where): string {
  return `fix-${stage}-${round}`;
}
