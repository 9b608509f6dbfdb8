// A task as the page shows it: where it stands, what it took, its bars; and its evidence, attempt by attempt.
import { defined } from '../../defined.ts';
import { proofWordOf } from '../../event/proof-word.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { sumSpent } from '../../journal/ledger.ts';
import type { RunState, SessionState, TaskState } from '../../journal/state.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../evidence-view.ts';
import type { TaskView } from '../view.ts';
import { checkBars, sessionBars } from './bars.ts';

/** How many of the newest attempts are sent in full. */
const mostAttempts = 20;

/** The plan's tasks in order, then other work. `endedAt`: when the run broke off. */
export function listTaskViews(
  state: RunState,
  facts: ReadonlyMap<string, readonly Stamped<Fact>[]>,
  endedAt: string | undefined,
): readonly TaskView[] {
  const all = [...state.tasks.values(), ...state.fixes.values()];
  const sessions = Map.groupBy(state.sessions.values(), ({ started }) => started.task ?? '');
  const closed = [...state.tasks.values()].filter(({ standing }) => standing === 'closed');
  const ticked = new Set(state.plan?.tasks.filter((task) => task.closed).map(({ id }) => id));
  return all.map((task, order) => {
    const own = sessions.get(task.id) ?? [];
    const bars = [...sessionBars(own, endedAt), ...checkBars(facts.get(task.id) ?? [], endedAt)].sort(
      (a, b) => a.from.localeCompare(b.from),
    );
    const isTicked = ticked.has(task.id);
    return {
      id: task.id,
      // The title of a fix says what is fixed.
      title: task.id.startsWith('fix-') ? `Fix: ${task.title}` : task.title,
      standing: standingOf(task, {
        isTicked,
        isOpen: own.some(({ ended }) => !ended) && endedAt === undefined,
      }),
      order,
      isBeside: state.fixes.has(task.id),
      attempts: Math.max(0, task.attemptsEver - task.uncounted),
      corrections: task.corrections,
      spent: sumSpent(own),
      ms: own.reduce((sum, { ended }) => sum + (ended?.durationMs ?? 0), task.checkMs),
      notes: task.violations.length + task.refused.length + task.tamper.length,
      bars,
      canUndo: closed.includes(task) && endedAt !== undefined,
      ...defined({ question: task.question, reason: reasonOf(task) }),
      ...defined({ closed: task.closed && closedOf(task.closed) }),
    };
  });
}

function standingOf(
  task: TaskState,
  { isTicked, isOpen }: Readonly<{ isTicked: boolean; isOpen: boolean }>,
): TaskView['standing'] {
  const { standing, start, takenAway } = task;
  switch (standing) {
    case 'closed':
      return proofWordOf(task) ?? 'unchecked';
    case 'closed-by-hand':
      return 'by-hand';
    case 'open':
      if (isOpen || (start && !takenAway)) return 'working';
      return isTicked && !start ? 'before' : 'open';
    case 'failed':
    case 'parked':
    case 'skipped':
      return standing;
  }
}

function reasonOf({ failed, lastRound, standing }: TaskState): string | undefined {
  return standing === 'closed' ? undefined : (failed?.reason ?? lastRound?.reason);
}

function closedOf(closed: Stamped<FactOf<'task-closed'>>): NonNullable<TaskView['closed']> {
  const { oid, at, summary, reason, files, insertions, deletions } = closed;
  return { oid, at, summary, reason, files, insertions, deletions };
}

/** What was seen of a task; undefined if the run has no such task. */
export function makeEvidence(
  state: RunState,
  id: string,
  facts: readonly Stamped<Fact>[],
): Evidence | undefined {
  const task = state.tasks.get(id) ?? state.fixes.get(id);
  if (!task) return undefined;
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
  corrections: { kind: string; reason: string }[];
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
    if (fact.type === 'correction-sent') last.corrections.push({ kind: fact.kind, reason: fact.reason });
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
