// The evidence of a task, attempt by attempt.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import type { RunState, SessionState } from '../../journal/state.ts';
import { describeCheck, toneOfCheck } from '../events/format-check.ts';
import { toLines } from '../text/block.ts';
import { formatCost, formatMs } from '../text/figure.ts';
import type { Line, Tone } from '../text/line.ts';
import { reportWork } from './report-work.ts';

/** A session, a check with its `log`, or a correction. */
export type AttemptStep = Readonly<{
  at: string;
  sign: '●' | '✓' | '✗' | '↩';
  tone: Tone | 'busy';
  title: string;
  note: string;
  says?: string;
  session?: number;
  log?: string;
  /** Of the checks that ran in a row. */
  series?: string;
}>;

export type AttemptView = Readonly<{
  number: number;
  reason: string;
  steps: readonly AttemptStep[];
  verdict?: string;
  why?: string;
}>;

export type WorkEvidence = Readonly<{
  /** Checks before the work are an attempt 0. */
  attempts: readonly AttemptView[];
  /** As its receipt has them: the guard, refused files, signs of tampering, answers. */
  notes: readonly Line[];
}>;

export function viewEvidence(
  state: RunState,
  id: string,
  all: readonly Stamped<Fact>[],
): WorkEvidence | undefined {
  const { look } = reportWork(state, id) ?? {};
  const facts = all.filter((fact) => 'task' in fact && fact.task === id);
  return look && { attempts: listAttempts(facts, state), notes: toLines(look) };
}

type Growing = Omit<AttemptView, 'steps'> & { steps: AttemptStep[] };

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
      attempt.steps.push({ ...correction, at: fact.at, title: `correction: ${fact.reason}` });
    if (fact.type === 'task-closed') Object.assign(attempt, { verdict: 'close', why: fact.reason });
    if (fact.type === 'round-ended') Object.assign(attempt, { verdict: fact.verdict, why: fact.reason });
  }
  return all;
}

const correction = { sign: '↩', tone: 'plain', note: '' } as const;

function checkStep(fact: Stamped<FactOf<'check-ended'>>, series: string): AttemptStep {
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

function sessionStep({ started, ready, ended, overAt, costUsd }: SessionState): AttemptStep {
  const notes = [
    ready?.model ?? started.model ?? started.agent,
    costUsd === undefined ? '' : formatCost({ costUsd, atLeast: ended?.costAtLeast ?? true }),
    ended?.outcome ?? 'in progress',
    overAt ? formatMs(Date.parse(overAt) - Date.parse(started.at)) : '',
  ];
  const { at, session } = started;
  const note = notes.filter(Boolean).join(' · ');
  return { at, sign: '●', tone: 'busy', title: `Session ${session}`, note, session };
}
