// A fleet as it is shown, in lines or on a page: who works, what waits, what helps. Pure.
import { formatMs } from '../text/figure.ts';

/**
 * A job as the plain value that `pawl fleet --json` prints; an entry in the database that is not one of pawl's jobs has no
 * plan.
 */
export type FleetJob = Readonly<{
  id: string;
  /** `held`: the job it comes after is over but not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over' | 'dead';
  priority: number;
  submitted: string;
  repo?: string;
  base?: string;
  plan?: string;
  labels?: readonly string[];
  by?: string;
  /** The command that submits it once more. */
  again?: string;
  /** Why it is in the queue and nobody can begin it, or nobody does yet. */
  lack?: string;
  waits?: string;
  /** The later job that continued with its plan. */
  later?: string;
  after?: string;
  /** What became of the job that it comes after, if it is held. */
  heldBy?: string;
  run?: string;
  result?: Readonly<{ kind: string; exit: number; says: string }>;
  /** Why a machine last gave it back, how often in a row machines did, and in how many ms it is offered again. */
  last?: Readonly<{ says: string; times: number; dueMs?: number }>;
  /** What people asked of its run, in order; without a reply nobody has taken it yet. */
  requests?: readonly Readonly<{
    wish: string;
    by: string;
    at: string;
    reply?: Readonly<{ ok: boolean; text: string }>;
  }>[];
  /** Its run as its worker last reported it. */
  seen?: Readonly<{
    worker: string;
    ageMs: number;
    branch: string;
    tasks: Readonly<{ total: number; closed: number }>;
    task?: Readonly<{ id: string; title: string }> | undefined;
  }>;
}>;

export type FleetView = Readonly<{
  database: string;
  workers: readonly Readonly<{
    name: string;
    repos: readonly string[];
    labels: readonly string[];
    slots: number;
    busy: number;
    says: string;
    version: string;
    ageMs: number;
  }>[];
  jobs: readonly FleetJob[];
}>;

const silentMs = 60_000;

/** Whether a worker still sends signs of life. */
export function isThere({ ageMs }: FleetView['workers'][number]): boolean {
  return ageMs <= silentMs;
}

/** The headings for jobs by state, in the order in which they are shown. */
export const heads: Readonly<Record<FleetJob['state'], string>> = {
  active: 'Running',
  queued: 'In the queue',
  waiting: 'Waiting for another job',
  held: 'Held',
  dead: 'Dead letters',
  over: 'Finished in the last 24 hours',
};

/** The tone of a job: done, over in another way, or lacking something. */
export function toneOf({ state, result, lack }: FleetJob): 'good' | 'bad' | 'warn' | 'plain' {
  if (!result) return lack || state === 'held' ? 'warn' : 'plain';
  if (result.kind === 'done') return 'good';
  return result.kind === 'failed' || result.kind === 'dead' ? 'bad' : 'warn';
}

/** Why it has not got further, in words: what the machines that gave it back said. */
export function describeLast({ result, last }: FleetJob): string | undefined {
  if (result || !last) return undefined;
  const again = last.dueMs === undefined ? '' : `, offered again in ${formatMs(last.dueMs)}`;
  return `given back ${last.times === 1 ? 'once' : `${last.times} times`}${again}: ${last.says}`;
}

/** What a person can do about a job that is over and not done, or held up. */
export function adviceOf(job: FleetJob): string | undefined {
  const { id, result, after = '', heldBy, later, last } = job;
  if (heldBy !== undefined)
    return `\`pawl fleet ${after.slice(0, 8)}\` says what that one needs: once its plan is submitted again, this job waits for it. \`pawl fleet release ${id.slice(0, 8)}\` starts it anyway, \`pawl fleet cancel ${id.slice(0, 8)}\` cancels it.`;
  if (last?.dueMs !== undefined)
    return `Fix that; then \`pawl fleet release ${id.slice(0, 8)}\` offers it at once.`;
  if (!result || result.kind === 'done') return undefined;
  return later === undefined
    ? adviceAfter(job, result)
    : `Its plan was submitted again, as ${later.slice(0, 8)}.`;
}

function adviceAfter(
  { id, plan = '<plan>', again: words = `pawl fleet submit ${plan}`, base, run, seen }: FleetJob,
  { kind, exit }: NonNullable<FleetJob['result']>,
): string | undefined {
  const goesOn = `\`${words}\` ${run === undefined ? 'starts it' : 'continues it'}`;
  const named = seen?.branch ?? run;
  switch (kind) {
    case 'asks':
      return `\`pawl fleet answer ${id.slice(0, 8)} <task> "…"\` answers it, and puts it into the queue again.`;
    case 'budget':
      return `\`pawl fleet budget ${id.slice(0, 8)} <dollars>\` gives it more, and puts it into the queue again.`;
    case 'needs-trust':
      return `Submit it again from a clone that has ${base ?? 'its branch'} as it is on the remote now, where you are asked for trust: \`${words}\`.`;
    case 'not-allowed':
      return `List its repository in fleet.repos on a worker, then ${goesOn}; or submit it again as it should be.`;
    case 'parted':
      // What did not begin says itself what is in the way.
      return exit === 8
        ? `Its work is in its clone on ${seen?.worker ?? 'the worker'}, below ~/.local/state/pawl/fleet: push it from there, to another branch if need be.`
        : undefined;
    case 'elsewhere':
      return '`pawl status --remote` shows who has it.';
    case 'environment':
    case 'dead':
      return `Fix that; then ${goesOn}.`;
    default:
      return `${goesOn}${named ? `; \`pawl fleet take ${named}\` brings it to this machine` : ''}.`;
  }
}
