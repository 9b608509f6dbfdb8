// Whether a task's next session continues the conversation of its last one, which was interrupted from outside. Pure; only the
// agent knows whether the conversation still exists.
import type { Continued } from '../../agent/session/session-plan.ts';
import type { Config } from '../../config/schema.ts';
import type { Tokens } from '../../event/activity.ts';
import type { FactOf } from '../../event.ts';
import { addTokens } from '../../journal/ledger.ts';
import type { RunState, SessionState, TaskState } from '../../journal/state.ts';
import { progressOf } from '../judge/progress.ts';

/** A conversation to go on with: `id` is the agent's own. */
export type Continuation = Continued & Readonly<{ id: string }>;

/** What the next session would be, and what is known beside the journal. */
export type Next = Readonly<{
  agent: Readonly<{ name: string; can: Readonly<{ resume: boolean }> }>;
  /** As it will be asked for; absent: the agent's default. */
  model?: string | undefined;
  /** The plan has not changed since the last session began. */
  samePlan: boolean;
  settings: Pick<Config['task'], 'attempts' | 'escalate'>;
  /** Reads the tokens in a session's context as of the model's last reply; undefined: it never gave one. Asked last, since it reads much. */
  readTokens: (session: number) => number | undefined;
}>;

/** A context fuller than this makes poor work; half of the smallest window there is. */
const mostShare = 0.5;
const mostTokens = 100_000;

/** The conversation to go on with; undefined: a fresh one is better, or all there is. */
export function findContinuation(state: RunState, task: TaskState, next: Next): Continuation | undefined {
  const last = [...state.sessions.values()].findLast(
    ({ started }) => started.role === 'task' && started.lane === task.start?.lane,
  );
  if (last?.started.task !== task.id || !last.ready || !last.ended) return undefined;
  const { started, ready, ended } = last;
  const isSame =
    next.samePlan && started.agent === next.agent.name && (started.model ?? '') === (next.model ?? '');
  if (!next.agent.can.resume || !isSame || !(wasCutOff(started, ended) || wasHeld(task))) return undefined;
  // Its work is not in the tree, or what it tried is not to be tried again.
  if (task.takenAway || progressOf(task, next.settings).step !== 'go-on') return undefined;
  const tokens = next.readTokens(started.session);
  const hasBegun = tokens !== undefined || started.continues !== undefined;
  if (!hasBegun || isFull(last, tokens)) return undefined;
  return { session: started.session, id: ready.agentSession, earlier: earlierOf(state, started.session) };
}

/** A person's pause or note came between its turn and the correction that was due: the conversation gets that as its next message. */
function wasHeld({ lastRound }: TaskState): boolean {
  return lastRound?.verdict === 'again' && !lastRound.counts;
}

/** From outside: by a limit, an overload, a person, a budget, or death. One that dies again after it was continued may die of what it holds. */
function wasCutOff(started: FactOf<'session-started'>, ended: FactOf<'session-ended'>): boolean {
  switch (ended.outcome) {
    case 'limited':
    case 'overloaded':
    case 'interrupted':
    case 'over-budget':
      return true;
    case 'crashed':
      return started.continues === undefined || diedWithPawl(ended);
    case 'done':
    case 'failed':
    case 'already-done':
    case 'needs-input':
    case 'replan':
    case 'silent':
    case 'refused':
    case 'timed-out':
    case 'stuck':
    case 'unfinished':
      return false;
  }
}

function diedWithPawl({ exitCode, signal }: FactOf<'session-ended'>): boolean {
  return exitCode === null && signal === null;
}

function isFull({ contextShare }: SessionState, tokens: number | undefined): boolean {
  return contextShare === undefined ? (tokens ?? 0) >= mostTokens : contextShare >= mostShare;
}

/** What the agent may count as spent before: by this session alone, with the one it went on with, and so on back. */
function earlierOf(state: RunState, session: number): Continued['earlier'] {
  const sums: Continued['earlier'][number][] = [];
  let sum = { costUsd: 0, tokens: noTokens };
  for (
    let at: number | undefined = session;
    at !== undefined;
    at = state.sessions.get(at)?.started.continues
  ) {
    const { costUsd = 0, tokens = noTokens } = state.sessions.get(at) ?? {};
    sum = { costUsd: sum.costUsd + costUsd, tokens: addTokens(sum.tokens, tokens) };
    sums.push(sum);
  }
  return sums;
}

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
