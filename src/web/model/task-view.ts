// The evidence of a task, attempt by attempt.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { findWorkState, type RunState, type SessionState } from '../../journal/state.ts';
import { isExpected } from '../../report/events/format-check.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../view.ts';
import { nameOfCheck } from './bars.ts';

export function makeEvidence(
  state: RunState,
  id: string,
  all: readonly Stamped<Fact>[],
): Evidence | undefined {
  const task = findWorkState(state, id);
  if (!task) return undefined;
  const facts = all.filter((fact) => 'task' in fact && fact.task === id);
  const sessions = [...state.sessions.values()].filter(({ started }) => started.task === id);
  return {
    attempts: listAttempts(facts, sessions),
    notes: facts
      .filter(({ type }) => notes.has(type))
      .flatMap((fact) => formatEvent(fact, { verbose: false }))
      .map(({ tone, text }) => ({ tone, text }))
      .slice(-100),
    answers: task.answers,
  };
}

const notes: ReadonlySet<Fact['type']> = new Set([
  'act-found',
  'file-refused',
  'tamper-noted',
  'stuck',
  'plan-edit-set-aside',
]);

type Growing = Omit<AttemptView, 'sessions' | 'checks' | 'corrections'> & {
  checks: CheckView[];
  corrections: { at: string; reason: string }[];
};

function listAttempts(
  facts: readonly Stamped<Fact>[],
  sessions: readonly SessionState[],
): readonly AttemptView[] {
  const all: Growing[] = [];
  for (const fact of facts) {
    const begin = (number: number, reason: string) =>
      all.push({ number, reason, at: fact.at, checks: [], corrections: [] });
    if (fact.type === 'attempt-started') begin(fact.attempt, fact.reason);
    if (fact.type === 'check-ended' && fact.when === 'before' && all.at(-1)?.number !== 0) begin(0, '');
    const last = all.at(-1);
    if (!last) continue;
    if (fact.type === 'check-ended') last.checks.push(checkOf(fact));
    if (fact.type === 'correction-sent') last.corrections.push({ at: fact.at, reason: fact.reason });
    if (fact.type === 'task-closed') Object.assign(last, { verdict: 'close', why: fact.reason });
    if (fact.type === 'round-ended') Object.assign(last, { verdict: fact.verdict, why: fact.reason });
  }
  return all.map((attempt, at) => ({
    ...attempt,
    // A number used again after a session that did not count belongs to the later one.
    sessions: sessions
      .filter(({ started }) => started.attempt === attempt.number && started.at >= attempt.at)
      .filter(({ started }) => started.at < (all[at + 1]?.at ?? '~'))
      .map(sessionOf),
  }));
}

function checkOf(fact: Stamped<FactOf<'check-ended'>>): CheckView {
  const { at, command, when, result, exitCode, durationMs, log, says } = fact;
  return {
    at,
    command,
    when,
    result,
    exitCode,
    durationMs,
    log,
    name: nameOfCheck(fact),
    alreadyRed: fact.alreadyRed ?? false,
    knownRed: fact.knownRed ?? false,
    isExpected: isExpected(fact),
    ...defined({ says }),
  };
}

function sessionOf({ started, ready, ended, costUsd }: SessionState): SessionView {
  return {
    session: started.session,
    model: ready?.model ?? started.model ?? started.agent,
    startedAt: started.at,
    atLeast: ended?.costAtLeast ?? true,
    ...defined({ endedAt: ended?.at, outcome: ended?.outcome, costUsd: ended?.costUsd ?? costUsd }),
  };
}
