// Ends a round: compares it with earlier ones, journals it, acts on it, and words it for the next attempt.
import { defined } from '../../defined.ts';
import type { Place } from '../../place/place.ts';
import { type Progress, progressOf, type Trace } from '../judge/progress.ts';
import type { Verdict } from '../judge/verdict.ts';
import { readEvidence, writeEvidence } from '../restart-files.ts';
import { findHold } from '../session/await-turn.ts';
import { dutyOf } from '../session/start-session.ts';
import type { Stop } from '../stopped.ts';
import { waitFor } from '../wait/wait.ts';
import { stateOf, type Work } from '../work.ts';
import type { Round } from './inspect.ts';

export type TaskEnd =
  | Readonly<{ kind: 'closed' }>
  /** A person took it out of the run. */
  | Readonly<{ kind: 'dropped'; reason: string }>
  | Readonly<{ kind: 'failed' | 'parked' | 'skipped' | 'replan'; reason: string }>
  | Stop;

/** Undefined: another round follows. */
export async function endRound(place: Place, work: Work, round: Round): Promise<TaskEnd | undefined> {
  const { verdict: found } = round;
  if (found.kind === 'close') return { kind: 'closed' };
  const task = work.task.id;
  const trace = traceOf(place, work, round);
  const mayFollow = found.kind === 'again' && found.counts;
  const progress: Progress = mayFollow
    ? progressOf(stateOf(place, work.task), place.run.config.task, trace)
    : { step: 'go-on' };
  const verdict: Unclosed =
    progress.step === 'give-up'
      ? { kind: 'fail', reason: `no progress: ${progress.why}; ${found.reason}` }
      : found;
  writeEvidence(place, task, formatRound(round, progress));
  place.run.emit({
    type: 'round-ended',
    task,
    verdict: verdict.kind,
    reason: verdict.reason,
    counts: countsOf(verdict),
    ...(verdict.kind === 'park' ? { question: verdict.question } : {}),
    ...trace,
  });
  if (progress.step !== 'go-on')
    place.run.emit({ type: 'stuck', task, why: progress.why, step: progress.step });
  switch (verdict.kind) {
    case 'again':
    case 'correct':
      return undefined;
    case 'wait':
      return waitFor(place, verdict, {
        duties: [dutyOf(work)],
        isWanted: () => findHold(place, work.task) !== 'skip',
      });
    case 'stop':
      return verdict;
    case 'park':
      return { kind: 'parked', reason: verdict.question };
    case 'skip':
    case 'replan':
    case 'fail':
      return { kind: ends[verdict.kind], reason: verdict.reason };
  }
}

const ends = { skip: 'skipped', replan: 'replan', fail: 'failed' } as const;

function traceOf(place: Place, work: Work, { tree, fingerprint }: Round): Trace {
  const session = [...place.run.state().sessions.values()].findLast(
    ({ started }) => started.task === work.task.id,
  );
  return {
    attempt: stateOf(place, work.task).attemptsEver,
    tree,
    ...defined({ fingerprint, outcome: session?.ended?.outcome }),
  };
}

type Unclosed = Exclude<Verdict, { kind: 'close' }>;

function countsOf(verdict: Unclosed): boolean {
  return 'counts' in verdict ? verdict.counts : verdict.kind === 'fail' || verdict.kind === 'replan';
}

/** Since earlier attempts failed alike. What an uncounted round left since stays. */
export function restartsOnStart(place: Place, { task }: Work): boolean {
  const state = stateOf(place, task);
  const progress = progressOf(state, place.run.config.task);
  return progress.step !== 'go-on' && progress.restart && state.lastRound === state.counted.at(-1);
}

export function formatPast(place: Place, work: Work): string {
  const { lastRound, work: of } = stateOf(place, work.task);
  const takenOut = of.is === 'told' ? of.rescue : undefined;
  if (!lastRound) return '';
  return `${readEvidence(place, work.task.id)}\n\n${formatPlace({ takenOut, isOnStart: restartsOnStart(place, work) })}`;
}

function formatPlace({
  takenOut,
  isOnStart,
}: Readonly<{ takenOut: string | undefined; isOnStart: boolean }>): string {
  if (takenOut !== undefined)
    return `What it changed was taken out of the tree, so that other tasks could go on: it is the commit ${takenOut} (\`git show ${takenOut}:<file>\`).`;
  return isOnStart
    ? 'The tree is as it was before the task; what was tried is gone from it, so do not try the same once more.'
    : 'What it changed is still in the tree: look at it with `git status` and `git diff` before you continue.';
}

function formatRound(round: Round, progress: Progress): string {
  const lines = [
    `An earlier session worked on this task and did not finish it: ${round.verdict.reason}.`,
    ...(progress.step === 'go-on' ? [] : [`There is no progress: ${progress.why}. ${diagnoseFirst}`]),
    round.evidence,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

const diagnoseFirst =
  'Diagnose first: find out why it fails, say so, and only then change code, in another way than before.';
