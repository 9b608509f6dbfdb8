// What the next attempt is told about earlier ones.

import type { Place } from '../../place/place.ts';
import { type Progress, progressOf } from '../judge/progress.ts';
import { readEvidence } from '../restart-files.ts';
import { stateOf, type Work } from '../work.ts';
import type { Round } from './inspect.ts';

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

export function formatRound(round: Round, progress: Progress): string {
  const lines = [
    `An earlier session worked on this task and did not finish it: ${round.verdict.reason}.`,
    ...(progress.step === 'go-on' ? [] : [`There is no progress: ${progress.why}. ${diagnoseFirst}`]),
    round.evidence,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

const diagnoseFirst =
  'Diagnose first: find out why it fails, say so, and only then change code, in another way than before.';
