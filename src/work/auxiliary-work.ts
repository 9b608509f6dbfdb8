// Work beside the plan's tasks from its first start to its end, under the whole guard of a task: the mending of findings,
// the finalizing. What an end of it is called, and what it means, its owner says.
import type { FactOf } from '../event.ts';
import type { Context } from '../place/context.ts';
import { isOver, plannedTask } from './kind/fix.ts';
import { takePlan } from './plan/take-plan.ts';
import type { Stop } from './stopped.ts';
import { stateOf } from './work.ts';
import { workTask } from './work-task.ts';

/** What its owner does at an end; work that needed no commit was told as it ended. */
export type Owner = Readonly<{
  tellClosed: (closed: FactOf<'task-closed'>) => void;
  /** It came to nothing, for a reason in words. */
  giveUp: (reason: string) => Promise<void>;
}>;

/** Works on it, or goes on with that; undefined when it came to an end, which then is journaled. */
export async function workBeside(ctx: Context, id: string, owner: Owner): Promise<Stop | undefined> {
  const isEnded = () => isOver(ctx, stateOf(ctx, { id }));
  const tellClosed = (): undefined => {
    const { closed } = stateOf(ctx, { id });
    if (isEnded()) return;
    if (!closed) throw new Error(`${id} was closed without a commit`);
    owner.tellClosed(closed);
  };
  if (isEnded()) return undefined;
  if (stateOf(ctx, { id }).closed) return tellClosed();
  const truth = await takePlan(ctx);
  const end = await workTask(ctx, truth, plannedTask(ctx, truth, id));
  switch (end.kind) {
    case 'closed':
      return tellClosed();
    case 'stopped': {
      const { kind: _, ...stop } = end;
      return stop;
    }
    case 'parked':
      await owner.giveUp(`it asks a person: ${end.reason}`);
      return undefined;
    case 'failed':
    case 'skipped':
    case 'dropped':
    case 'replan':
      await owner.giveUp(end.reason);
      return undefined;
  }
}
