// A turn while it goes on: a person may want the session ended or told something. What they want is read from the state.
import type { Session, Turn } from '../agent/session-plan.ts';
import type { Task } from '../plan/plan.ts';
import type { Held } from './judge.ts';
import type { Context } from './phase.ts';
import { stateOf } from './work.ts';

/** A session in the middle of a turn. */
export type Attended = Readonly<{ session: Session; number: number; task: Task }>;

/** A turn that ended, and for what a person had it ended, if one had. */
export type AttendedTurn = Readonly<{ turn: Turn; halt: Held | undefined }>;

/** Waits for the end of a turn, and brings it about when a person asks for it. */
export async function attendTurn(ctx: Context, live: Attended, turn: Promise<Turn>): Promise<AttendedTurn> {
  let isOver = false;
  const over = turn.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  for (;;) {
    const halt = findHalt(ctx, live.task);
    if (halt !== undefined && !ctx.signal.aborted) {
      await live.session.stop(haltWords[halt]);
      return { turn: await turn, halt };
    }
    await firstOf(over, ctx.wake());
    if (isOver) return { turn: await turn, halt: undefined };
  }
}

/** What a person asked that keeps the task from going on now; `pause` leaves a running turn its end. */
export function findHold(ctx: Context, task: Task): Held | undefined {
  if (stateOf(ctx, task).standing === 'skipped') return 'skip';
  return ctx.state().pause ? 'pause' : undefined;
}

function findHalt(ctx: Context, task: Task): Held | undefined {
  const held = findHold(ctx, task);
  return held === 'pause' && !ctx.state().pause?.now ? undefined : held;
}

const haltWords: Readonly<Record<Held, string>> = {
  skip: 'a person skipped the task',
  pause: 'a person paused the run',
};

/** Settles when the work is over or the signal comes, whichever is first. */
function firstOf(over: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      signal.removeEventListener('abort', settle);
      resolve();
    };
    if (signal.aborted) return settle();
    signal.addEventListener('abort', settle, { once: true });
    void over.then(settle);
  });
}
