// A task as the page shows it: where it stands, what it took, its bars; and its evidence, attempt by attempt.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { findWorkState, type RunState, type SessionState } from '../../journal/state.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { WorkView } from '../../report/view/run-view.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../evidence-view.ts';
import type { TaskView } from '../view.ts';
import { checkBars, sessionBars } from './bars.ts';

/** How many of the newest attempts are sent in full. */
const mostAttempts = 20;

/** A task with its bars. `endedAt`: when the run broke off. */
export function viewTask(
  work: WorkView,
  sessions: readonly SessionState[],
  { facts, endedAt }: Readonly<{ facts: readonly Stamped<Fact>[]; endedAt: string | undefined }>,
): TaskView {
  const bars = [...sessionBars(sessions, endedAt), ...checkBars(facts, endedAt)];
  return {
    ...work,
    bars: bars.sort((a, b) => a.from.localeCompare(b.from)),
    canUndo: work.closed !== undefined && !work.isBeside && endedAt !== undefined,
  };
}

/** What was seen of a task; undefined if the run has no such task. */
export function makeEvidence(
  state: RunState,
  id: string,
  all: readonly Stamped<Fact>[],
): Evidence | undefined {
  const task = findWorkState(state, id);
  if (!task) return undefined;
  const facts = all.filter((fact) => 'task' in fact && fact.task === id);
  const attempts = listAttempts(
    facts,
    [...state.sessions.values()].filter(({ started }) => started.task === id),
  );
  const red = new Set(task.start?.red);
  const commands = new Map(
    facts.flatMap((fact) => (fact.type === 'check-ended' ? [[fact.check, fact.command]] : [])),
  );
  return {
    task: id,
    before: facts.flatMap((fact) =>
      fact.type === 'check-ended' && fact.when === 'before' ? [checkOf(fact)] : [],
    ),
    turnedGreen: task.checks.flatMap(({ check, command, result }) =>
      result === 'green' && red.has(check) ? [command] : [],
    ),
    vacuous: task.start?.vacuous.map((check) => commands.get(check) ?? check) ?? [],
    attempts: attempts.slice(-mostAttempts),
    leftOut: Math.max(0, attempts.length - mostAttempts),
    notes: facts.flatMap((fact) => (notes.has(fact.type) ? linesOf(fact) : [])).slice(-100),
    answers: task.answers,
    hasDiff: task.closed !== undefined || task.start !== undefined,
  };
}

function linesOf(fact: Fact): Evidence['notes'] {
  return formatEvent(fact, { verbose: false }).map(({ tone, text }) => ({ tone, text }));
}

const notes: ReadonlySet<Fact['type']> = new Set([
  'act-found',
  'file-refused',
  'tamper-noted',
  'stuck',
  'plan-edit-set-aside',
]);

type Growing = {
  number: number;
  reason: string;
  at: string;
  checks: CheckView[];
  corrections: { at: string; kind: string; reason: string }[];
  verdict?: string;
  why?: string;
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
    if (fact.type === 'correction-sent')
      last.corrections.push({ at: fact.at, kind: fact.kind, reason: fact.reason });
    if (fact.type === 'task-closed') Object.assign(last, { verdict: 'close', why: fact.reason });
    if (fact.type === 'round-ended') Object.assign(last, { verdict: fact.verdict, why: fact.reason });
  }
  return all.map((attempt, at) => ({
    ...attempt,
    // A number may be used again after a session that did not count: then it belongs to the later one.
    sessions: sessions
      .filter(({ started }) => started.attempt === attempt.number && started.at >= attempt.at)
      .filter(({ started }) => started.at < (all[at + 1]?.at ?? '~'))
      .map(sessionOf),
  }));
}

function checkOf(fact: Stamped<FactOf<'check-ended'>>): CheckView {
  const { at, command, when, result, exitCode, durationMs, log, says, alreadyRed, knownRed } = fact;
  return {
    ...{ at, command, when, result, exitCode, durationMs, log },
    alreadyRed: alreadyRed ?? false,
    knownRed: knownRed ?? false,
    ...defined({ says }),
  };
}

export function sessionOf({ started, ready, ended, costUsd, tokens }: SessionState): SessionView {
  return {
    session: started.session,
    role: started.role,
    agent: started.agent,
    startedAt: started.at,
    atLeast: ended?.costAtLeast ?? true,
    ...defined({
      model: ready?.model ?? started.model,
      reviewer: started.reviewer,
      endedAt: ended?.at,
      outcome: ended?.outcome,
      reason: ended?.reason,
      costUsd: ended?.costUsd ?? costUsd,
      tokens: ended?.tokens ?? tokens,
    }),
  };
}
