// The evidence of a task, attempt by attempt.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { findWorkState, type RunState, type SessionState } from '../../journal/state.ts';
import { describeCheck, toneOfCheck } from '../../report/events/format-check.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { formatCost, formatMs } from '../../report/text/figure.ts';
import type { AttemptView, Evidence, EvidenceStep } from '../view.ts';

export function makeEvidence(
  state: RunState,
  id: string,
  all: readonly Stamped<Fact>[],
): Evidence | undefined {
  const task = findWorkState(state, id);
  if (!task) return undefined;
  const facts = all.filter((fact) => 'task' in fact && fact.task === id);
  return {
    attempts: listAttempts(facts, state),
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

type Growing = Omit<AttemptView, 'steps'> & { steps: EvidenceStep[] };

function listAttempts(
  facts: readonly Stamped<Fact>[],
  { sessions }: Pick<RunState, 'sessions'>,
): readonly AttemptView[] {
  const all: Growing[] = [];
  let turns = 0;
  for (const fact of facts) {
    if (fact.type === 'attempt-started') all.push({ number: fact.attempt, reason: fact.reason, steps: [] });
    if (fact.type === 'check-ended' && fact.when === 'before' && all.at(-1)?.number !== 0)
      all.push({ number: 0, reason: '', steps: [] });
    const attempt = all.at(-1);
    if (!attempt) continue;
    if (fact.type === 'check-ended') {
      if (fact.when === 'after' && !attempt.steps.at(-1)?.series?.startsWith('turn')) turns += 1;
      attempt.steps.push(checkStep(fact, fact.when === 'after' ? `turn ${turns}` : fact.when));
    }
    const session = fact.type === 'session-started' ? sessions.get(fact.session) : undefined;
    if (session) attempt.steps.push(sessionStep(session));
    if (fact.type === 'correction-sent')
      attempt.steps.push({
        at: fact.at,
        sign: '↩',
        tone: 'plain',
        title: `correction: ${fact.reason}`,
        note: '',
      });
    if (fact.type === 'task-closed') Object.assign(attempt, { verdict: 'close', why: fact.reason });
    if (fact.type === 'round-ended') Object.assign(attempt, { verdict: fact.verdict, why: fact.reason });
  }
  return all;
}

function checkStep(fact: Stamped<FactOf<'check-ended'>>, series: string): EvidenceStep {
  const { name, details } = describeCheck(fact);
  return {
    at: fact.at,
    sign: fact.result === 'green' ? '✓' : '✗',
    tone: toneOfCheck(fact),
    title: name,
    note: details,
    log: fact.log,
    series,
    ...defined({ says: fact.says }),
  };
}

function sessionStep({ started, ready, ended, costUsd = ended?.costUsd }: SessionState): EvidenceStep {
  const notes = [
    ready?.model ?? started.model ?? started.agent,
    costUsd === undefined ? '' : formatCost({ costUsd, atLeast: ended?.costAtLeast ?? true }),
    ended?.outcome ?? 'in progress',
    ended ? formatMs(Date.parse(ended.at) - Date.parse(started.at)) : '',
  ];
  return {
    at: started.at,
    sign: '●',
    tone: 'busy',
    title: `Session ${started.session}`,
    note: notes.filter(Boolean).join(' · '),
    session: started.session,
  };
}
