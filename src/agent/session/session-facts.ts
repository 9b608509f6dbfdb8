// Builds a session's facts from what the agent said. Pure; the runner emits them.

import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { FactOf } from '../../event.ts';
import type { Process } from '../../process/sweep.ts';
import type { SessionEnd, Turn } from './session-plan.ts';

export function readyFact(
  session: number,
  event: Extract<AgentEvent, { type: 'started' }>,
): FactOf<'session-ready'> {
  const { agentSession, model, version } = event;
  return { type: 'session-ready', session, agentSession, model, version };
}

export function limitFact(
  session: number,
  event: Extract<AgentEvent, { type: 'limit' }>,
): FactOf<'limit-seen'> {
  const { status, window, resetsAt, windows } = event;
  const utilization = windows.find(({ name }) => name === window)?.utilization;
  return { type: 'limit-seen', session, status, ...defined({ window, utilization, resetsAt }) };
}

export function turnFact(session: number, number: number, turn: Turn): FactOf<'turn-ended'> {
  const { kind: outcome, reason } = turn.outcome;
  const { contextShare } = turn;
  const until = turn.outcome.kind === 'limited' ? turn.outcome.until : undefined;
  const suspectsLimit = turn.outcome.kind === 'overloaded' ? turn.outcome.suspectsLimit : undefined;
  const more = defined({ contextShare, until, suspectsLimit });
  return { type: 'turn-ended', session, turn: number, outcome, reason, ...more };
}

export function leftoversFact(session: number, processes: readonly Process[]): FactOf<'leftovers-ended'> {
  const listed = processes.map(({ pid, command }) => ({ pid, command }));
  return { type: 'leftovers-ended', session, processes: listed };
}

export function endFact(session: number, end: SessionEnd): FactOf<'session-ended'> {
  const { outcome, leftovers: _, costUsd, tokens, ...figures } = end;
  const { kind, reason } = outcome;
  const cost = defined({ costUsd, tokens });
  return { type: 'session-ended', session, outcome: kind, reason, ...cost, ...figures };
}

/** Why a session that prints without end was ended. */
export function describeFlood(mostBytes: number): string {
  return `it printed more than ${Math.round(mostBytes / 1024 ** 2)} MB; what came after that was not kept`;
}

/** Why a session was interrupted from outside, in words. */
export function formatAbort(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return typeof reason === 'string' ? reason : 'pawl was interrupted';
}
