// Why a run stops before its end, and the exit code.
import { defined } from '../defined.ts';
import { takeCommand } from '../event/again.ts';
import type { EndReason } from '../event/run.ts';
import { exitCodes, exitOf, type Failure } from '../failure.ts';
import type { Place } from '../place/place.ts';

/** The same command continues later. */
export type Stop = Readonly<{
  kind: 'stop';
  why: 'interrupted' | 'refused' | 'budget' | 'limited' | 'outage' | 'crashing';
  reason: string;
  hint?: string;
}>;

export const interrupted = { kind: 'stop', why: 'interrupted', reason: 'interrupted' } as const;

export function notClean(code: string, text: string, hint?: string): EndReason {
  return { exit: exitCodes.notClean, code, text, ...defined({ hint }) };
}

export function reasonOfStop(place: Pick<Place, 'run'>, { why, reason, hint }: Stop): EndReason {
  if (why === 'interrupted') return reasonOfInterruption(place);
  return { exit: exitOfStop[why], code: why, text: reason, ...defined({ hint }) };
}

export function reasonOfInterruption({ run: { signal, state } }: Pick<Place, 'run'>): EndReason {
  const { fenced, remote = '' } = state().carry ?? {};
  const text = state().course.stopAsked ? 'stopped by `pawl stop` or the key q' : 'interrupted';
  if (!fenced) return { exit: exitOf(signal), code: 'interrupted', text };
  return {
    exit: exitCodes.environment,
    code: 'fenced',
    text: `${fenced.by.host} has taken the run up`,
    hint: `Nothing more is done here. \`${takeCommand(state().started.run, remote)}\` takes it back.`,
  };
}

const exitOfStop = {
  refused: exitCodes.refused,
  budget: exitCodes.budget,
  limited: exitCodes.limited,
  outage: exitCodes.limited,
  crashing: exitCodes.environment,
} as const;

export function reasonOfFailure({ exit, code, message: text, hint }: Failure): EndReason {
  return { exit, code, text, ...defined({ hint }) };
}
