// How a pawl that worked on a job ended, and what becomes of the job. Pure.
import { isDeepStrictEqual } from 'node:util';
import { type JobVerdict, maxTroubles, over, type Result } from '../../fleet/job.ts';
import { isFinished, type RunState } from '../../journal/state.ts';

/** `uncarried`: finished, but the remote does not take its branch. */
export type Ending = Readonly<{ exit: number | null; says: string; fenced?: boolean; uncarried?: boolean }>;

const kindOfExit: Readonly<Record<number, Result['kind']>> = {
  0: 'done',
  1: 'failed',
  3: 'asks',
  4: 'not-clean',
  5: 'budget',
  6: 'limited',
  7: 'agent-refused',
};

/** `draining`: the worker is ending; `troubles`: how often in a row a machine was at fault. */
export function judgeEnding(
  { exit, says, fenced, uncarried }: Ending,
  { draining, troubles }: Readonly<{ draining: boolean; troubles: number }>,
): JobVerdict {
  if (fenced) return over('elsewhere', 8, says);
  // Its pawl waits for the remote until the worker ends.
  if (uncarried) return draining ? { kind: 'back' } : over('parted', 8, says);
  const known = exit === null ? undefined : kindOfExit[exit];
  if (known !== undefined && exit !== null) return over(known, exit, says);
  // By `pawl stop`; a worker that ends stops its own otherwise.
  if (exit === 130 && !draining) return over('stopped', 130, says);
  // Ended with its machine: what it carried is continued.
  if (draining || (exit !== null && exit > 128)) return { kind: 'back' };
  // Killed without its worker, or refused: this may pass. The pauses, 10 s to 43 minutes, are over an hour in total, since
  // a remote may be unreachable that long.
  const isTrouble = exit === null || exit === 8 || exit === 2;
  if (isTrouble && troubles < maxTroubles)
    return { kind: 'back', trouble: says, afterMs: 10_000 * 2 ** troubles };
  return over(exit === 8 || exit === null ? 'environment' : 'failed', exit ?? 8, says);
}

/** By the exit and the run's journal before and after: what an earlier start wrote does not count. */
export function endOf(
  { exit, stderr }: Readonly<{ exit: number | null; stderr: string }>,
  before: Pick<RunState, 'carry' | 'course'> | undefined,
  state: Pick<RunState, 'carry' | 'course' | 'undoing' | 'started'> | undefined,
): Ending {
  const fenced =
    state?.carry?.fenced !== undefined && !isDeepStrictEqual(state.carry.fenced, before?.carry?.fenced);
  const finished = state !== undefined && isFinished(state);
  const own =
    finished || !isDeepStrictEqual(state?.course.ended, before?.course.ended)
      ? state?.course.ended?.exit
      : undefined;
  const words = lastWordsOf(stderr);
  // The run ended with another code: only its last carry failed.
  const isCut = exit === 8 && own !== undefined && own < 8;
  // An unfinished one would be continued.
  if (isCut && !finished && state)
    return { exit: own, says: `${describeEnd(state)}; ${words}`, fenced, uncarried: false };
  const says = state && own !== undefined && exit === own ? describeEnd(state) : words;
  return { exit, says, fenced, uncarried: isCut };
}

export function describeEnd({ course: { ended }, started }: Pick<RunState, 'course' | 'started'>): string {
  const reasons = ended?.reasons.map(({ text }) => text) ?? [];
  return reasons.length > 0 ? reasons.join('; ') : `its work is on ${started.branch}`;
}

/** What pawl said last: what was wrong, and what helps. */
function lastWordsOf(text: string): string {
  const at = text.lastIndexOf('pawl: ');
  const last = at < 0 ? text.slice(-500) : text.slice(at + 6, at + 1_006);
  const [says = '', ...helps] = last.split('\n').flatMap((line) => line.trim() || []);
  return inOneLine(says, helps.join(' ')) || 'it said nothing';
}

export function inOneLine(says: string, helps: string | undefined): string {
  if (!helps) return says;
  return `${says}${/[.:;!?]$/.test(says) ? '' : '.'} ${helps}`;
}
