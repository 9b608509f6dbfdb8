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
  const { task } = work;
  const mayFollow = found.kind === 'again' && found.counts;
  const progress: Progress = mayFollow
    ? progressOf(stateOf(place, task), place.run.config.task, traceOf(place, work, round))
    : { step: 'go-on' };
  const verdict: Ending =
    progress.step === 'give-up'
      ? { kind: 'fail', reason: `no progress: ${progress.why}; ${found.reason}` }
      : found;
  writeEvidence(place, task.id, formatRound(round, progress));
  emitRound(place, work, round, verdict);
  if (progress.step !== 'go-on')
    place.run.emit({ type: 'stuck', task: task.id, why: progress.why, step: progress.step });
  switch (verdict.kind) {
    case 'again':
    case 'correct':
      return undefined;
    case 'wait': {
      const isWanted = () => findHold(place, task) !== 'skip';
      return waitFor(place, verdict, { duties: [dutyOf(work)], isWanted });
    }
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

type Ending = Exclude<Verdict, { kind: 'close' }>;

export function emitRound(place: Place, work: Work, round: Round, verdict: Ending): void {
  const { kind, reason } = verdict;
  place.run.emit({
    type: 'round-ended',
    task: work.task.id,
    verdict: kind,
    reason,
    counts: 'counts' in verdict ? verdict.counts : kind === 'fail' || kind === 'replan',
    ...(kind === 'park' ? { question: verdict.question } : {}),
    ...traceOf(place, work, round),
  });
}

function traceOf(place: Place, { task }: Work, { tree, fingerprint }: Round): Trace {
  const sessions = [...place.run.state().sessions.values()];
  const { ended } = sessions.findLast(({ started }) => started.task === task.id) ?? {};
  const { attemptsEver: attempt } = stateOf(place, task);
  return { attempt, tree, ...defined({ fingerprint, outcome: ended?.outcome }) };
}

/** Since earlier attempts failed alike. What an uncounted round left since stays. */
export function restartsOnStart(place: Place, { task }: Work): boolean {
  const state = stateOf(place, task);
  const progress = progressOf(state, place.run.config.task);
  return progress.step !== 'go-on' && progress.restart && state.lastRound === state.counted.at(-1);
}

export function formatPast(place: Place, work: Work): string {
  const { lastRound, work: of } = stateOf(place, work.task);
  if (!lastRound) return '';
  const where =
    of.is === 'told'
      ? `What it changed was taken out of the tree, so that other tasks could go on: it is the commit ${of.rescue} (\`git show ${of.rescue}:<file>\`).`
      : restartsOnStart(place, work)
        ? 'The tree is as it was before the task; what was tried is gone from it, so do not try the same once more.'
        : 'What it changed is still in the tree: look at it with `git status` and `git diff` before you continue.';
  return `${readEvidence(place, work.task.id)}\n\n${where}`;
}

function formatRound({ verdict, evidence }: Round, progress: Progress): string {
  const lines = [
    `An earlier session worked on this task and did not finish it: ${verdict.reason}.`,
    ...(progress.step === 'go-on' ? [] : [`There is no progress: ${progress.why}. ${diagnoseFirst}`]),
    evidence,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

const diagnoseFirst =
  'Diagnose first: find out why it fails, say so, and only then change code, in another way than before.';
