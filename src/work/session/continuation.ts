// Whether a task's next session continues the last, interrupted from outside. Pure; the agent knows whether it can.
import type { Continued } from '../../agent/session/session-plan.ts';
import type { Config } from '../../config/schema.ts';
import { addTokens, noTokens } from '../../event/activity.ts';
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { isAway, type TaskState } from '../../journal/task-state.ts';
import { progressOf } from '../judge/progress.ts';

/** `id` is the agent's own. */
export type Continuation = Continued & Readonly<{ id: string }>;

export type Next = Readonly<{
  agent: Readonly<{ name: string; can: Readonly<{ resume: boolean }> }>;
  /** Absent: the agent's default. */
  model?: string | undefined;
  /** The plan has not changed since the last session began. */
  samePlan: boolean;
  settings: Pick<Config['task'], 'attempts' | 'escalate'>;
  /** Tokens in the context as of the model's last reply; undefined without one. Called last: it reads a lot. */
  readTokens: (session: number) => number | undefined;
}>;

/** A fuller context makes for poor work; half of the smallest window. */
const mostShare = 0.5;
const mostTokens = 100_000;

/** Undefined if a fresh one is better, or the only choice. */
export function findContinuation(state: RunState, task: TaskState, next: Next): Continuation | undefined {
  const last = [...state.sessions.values()].findLast(
    ({ started }) => started.role === 'task' && started.lane === task.start?.lane,
  );
  if (last?.started.task !== task.id || !last.ready?.agentSession || !last.ended) return undefined;
  const { started, ready, ended } = last;
  const isSame =
    next.samePlan && started.agent === next.agent.name && (started.model ?? '') === (next.model ?? '');
  // A person's pause or note came before a due correction, now the next message.
  const wasHeld = task.lastRound?.verdict === 'again' && !task.lastRound.counts;
  if (!next.agent.can.resume || !isSame || !(wasCutOff(started, ended) || wasHeld)) return undefined;
  // Its work is gone, or is not to be tried again.
  if (isAway(task) || progressOf(task, next.settings).step !== 'go-on') return undefined;
  const tokens = next.readTokens(started.session);
  const hasBegun = tokens !== undefined || started.continues !== undefined;
  const { contextShare } = last;
  const isFull = contextShare === undefined ? (tokens ?? 0) >= mostTokens : contextShare >= mostShare;
  if (!hasBegun || isFull) return undefined;
  return { session: started.session, id: ready.agentSession, earlier: earlierOf(state, started.session) };
}

const fromOutside: ReadonlySet<string> = new Set(['limited', 'overloaded', 'interrupted', 'over-budget']);

/** A continued conversation that crashes again may itself be the cause. */
function wasCutOff(started: FactOf<'session-started'>, ended: FactOf<'session-ended'>): boolean {
  if (fromOutside.has(ended.outcome)) return true;
  const diedWithPawl = ended.exitCode === null && ended.signal === null;
  return ended.outcome === 'crashed' && (started.continues === undefined || diedWithPawl);
}

/** What the agent may report as already spent, by this session and those it continued. */
function earlierOf(state: RunState, session: number): Continued['earlier'] {
  const sums: Continued['earlier'][number][] = [];
  let sum = { costUsd: 0, tokens: noTokens };
  for (let at = state.sessions.get(session); at; at = state.sessions.get(at.started.continues ?? 0)) {
    const { costUsd = 0, tokens = noTokens } = at;
    sum = { costUsd: sum.costUsd + costUsd, tokens: addTokens(sum.tokens, tokens) };
    sums.push(sum);
  }
  return sums;
}
