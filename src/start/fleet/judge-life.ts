// How a job continues if earlier lives of it left something, and how one of them ended. Pure.
import type { Ending, Result } from '../../fleet/job.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import type { TakeJudgement } from '../../phase/carry/judge-carry.ts';
import type { Carried } from '../carry/find-carried.ts';
import type { Claim } from './claim.ts';

/**
 * A clone that an earlier start of the job left, and the state of the job's run in it; undefined if it does not have it.
 */
export type Life = Readonly<{ root: string; standing: TakeJudgement['kind'] | undefined }>;

/** What a start of a job does. `wait`: somebody is still working on it; `here`: its run continues in that clone. */
export type JobStart =
  | Readonly<{ kind: 'over'; result: Result }>
  | Readonly<{ kind: 'wait'; says: string }>
  | Readonly<{ kind: 'here'; root: string }>
  | Readonly<{ kind: 'take' | 'begin' }>;

export function isJobOf({ job, jobs = [] }: Pick<Carried, 'job' | 'jobs'>, id: string): boolean {
  return job === id || jobs.includes(id);
}

/**
 * One row of the table. `found`: the run that was ever worked on for the job, or the one on its branch that it continues;
 * `result`: that run's result, if it is over; `claim`: whether it may have its branch, if it has no run.
 */
export function judgeStart(
  id: string,
  {
    found,
    lives,
    result,
    claim,
  }: Readonly<{
    found: Pick<Carried, 'run' | 'job' | 'jobs' | 'host'> | undefined;
    lives: readonly Life[];
    result: Result | undefined;
    claim: Claim;
  }>,
): JobStart {
  const live = lives.find(({ standing }) => standing === 'live');
  if (live) return { kind: 'wait', says: `a pawl still works on it in ${live.root}` };
  if (claim.kind === 'busy') return { kind: 'wait', says: claim.says };
  if (claim.kind === 'theirs' || claim.kind === 'elsewhere') {
    const says = `${claim.says}. ${claim.helps}`;
    return claim.kind === 'theirs'
      ? { kind: 'over', result: { kind: 'parted', exit: 2, says } }
      : { kind: 'over', result: { kind: 'elsewhere', exit: 8, says } };
  }
  if (!found) return { kind: 'begin' };
  if (result) return { kind: 'over', result };
  if (found.job !== id && isJobOf(found, id)) {
    const says = `its run ${found.run} was taken up on ${found.host}, and continues there`;
    return { kind: 'over', result: { kind: 'elsewhere', exit: 8, says } };
  }
  const here = lives.find(({ standing }) => standing === 'here' || standing === 'untold');
  return here ? { kind: 'here', root: here.root } : { kind: 'take' };
}

export type LifeEnd = Pick<Ending, 'exit' | 'says' | 'fenced' | 'uncarried'>;

/**
 * Determined from how the program ended, and from its run's journal before and after: what an earlier life wrote says
 * nothing about this one.
 */
export function endOf(
  { exit, stderr }: Readonly<{ exit: number | null; stderr: string }>,
  before: Pick<RunState, 'carry' | 'ended'> | undefined,
  state: Pick<RunState, 'carry' | 'ended' | 'undoing' | 'started'> | undefined,
): LifeEnd {
  const fenced = state?.carry?.fenced !== undefined && !isSame(state.carry.fenced, before?.carry?.fenced);
  const finished = state !== undefined && isFinished(state);
  const own = finished || !isSame(state?.ended, before?.ended) ? state?.ended?.exit : undefined;
  const words = lastWordsOf(stderr);
  // Its run is over with another code: only the last carry after it failed.
  const isCut = exit === 8 && own !== undefined && own < 8;
  // An unfinished one would be continued.
  if (isCut && !finished && state)
    return { exit: own, says: `${describeEnd(state)}; ${words}`, fenced, uncarried: false };
  const says = state && own !== undefined && exit === own ? describeEnd(state) : words;
  return { exit, says, fenced, uncarried: isCut };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function describeEnd({ ended, started }: Pick<RunState, 'ended' | 'started'>): string {
  const reasons = ended?.reasons.map(({ text }) => text) ?? [];
  return reasons.length > 0 ? reasons.join('; ') : `its work is on ${started.branch}`;
}

/** The last thing pawl said, in one line: what was wrong, and what helps. */
function lastWordsOf(text: string): string {
  const at = text.lastIndexOf('pawl: ');
  const last = at < 0 ? text.slice(-500) : text.slice(at + 6, at + 1_006);
  const [says = '', ...helps] = last.split('\n').flatMap((line) => line.trim() || []);
  return inOneLine(says, helps.join(' ')) || 'it said nothing';
}

/** A failure's sentence and hint, as two sentences on one line. */
export function inOneLine(says: string, helps: string | undefined): string {
  if (!helps) return says;
  return `${says}${/[.:;!?]$/.test(says) ? '' : '.'} ${helps}`;
}
