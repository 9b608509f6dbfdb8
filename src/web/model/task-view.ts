// The evidence of a task, attempt by attempt.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { findWorkState, type RunState, type SessionState } from '../../journal/state.ts';
import { isExpected } from '../../report/events/format-check.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../view.ts';
import { nameOfCheck } from './bars.ts';

const mostAttempts = 20;

export function makeEvidence(
  state: RunState,
  id: string,
  all: readonly Stamped<Fact>[],
): Evidence | undefined {
  const task = findWorkState(state, id);
  if (!task) return undefined;
  const facts = all.filter((fact) => 'task' in fact && fact.task === id);
  const sessions = [...state.sessions.values()].filter(({ started }) => started.task === id);
  const attempts = listAttempts(facts, sessions);
  const ended = facts.filter((fact) => fact.type === 'check-ended');
  const red = new Set(task.start?.red);
  const commands = new Map(ended.map(({ check, command }) => [check, command]));
  return {
    before: ended.filter(({ when }) => when === 'before').map(checkOf),
    turnedGreen: task.checks.flatMap(({ check, command, result }) =>
      result === 'green' && red.has(check) ? [command] : [],
    ),
    vacuous: task.start?.vacuous.map((check) => commands.get(check) ?? check) ?? [],
    attempts: attempts.slice(-mostAttempts),
    leftOut: Math.max(0, attempts.length - mostAttempts),
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
    if (fact.type === 'attempt-started')
      all.push({ number: fact.attempt, reason: fact.reason, at: fact.at, checks: [], corrections: [] });
    const last = all.at(-1);
    if (!last) continue;
    if (fact.type === 'check-ended' && fact.when !== 'before') last.checks.push(checkOf(fact));
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
    ...{ at, command, when, result, exitCode, durationMs, log },
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
