// A fleet as it is shown. Pure.
import { formatMs } from '../text/figure.ts';

/** `pawl fleet --json` prints it; an entry that is not one of pawl's jobs has no plan. */
export type FleetJob = Readonly<{
  id: string;
  /** `held`: the job it comes after is over but not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over';
  submitted: string;
  repo?: string;
  base?: string;
  plan?: string;
  by?: string;
  /** What a person must do for it to begin. */
  lack?: string;
  after?: string;
  /** What became of the job it comes after. */
  heldBy?: string;
  run?: string;
  result?: Readonly<{ kind: string; exit: number; says: string }>;
  /** Why a machine last gave it back, how often in a row, and when it is offered again, ms. */
  last?: Readonly<{ says: string; times: number; dueMs?: number }>;
  /** In order; without a reply nobody has taken it yet. */
  requests?: readonly Readonly<{
    wish: string;
    by: string;
    at: string;
    reply?: Readonly<{ ok: boolean; text: string }>;
  }>[];
  /** As its worker last reported it. */
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
    slots: number;
    busy: number;
    says: string;
    version: string;
    ageMs: number;
  }>[];
  jobs: readonly FleetJob[];
}>;

const silentMs = 60_000;

export function isThere({ ageMs }: FleetView['workers'][number]): boolean {
  return ageMs <= silentMs;
}

export const heads: Readonly<Record<FleetJob['state'], string>> = {
  active: 'Running',
  queued: 'In the queue',
  waiting: 'Waiting for another job',
  held: 'Held',
  over: 'Finished in the last 24 hours',
};

export function toneOf({ state, result, lack }: FleetJob): 'good' | 'bad' | 'warn' | 'plain' {
  if (!result) return lack || state === 'held' ? 'warn' : 'plain';
  if (result.kind === 'done') return 'good';
  return result.kind === 'failed' ? 'bad' : 'warn';
}

export function describeLast({ result, last }: FleetJob): string | undefined {
  if (result || !last) return undefined;
  const again = last.dueMs === undefined ? '' : `, offered again in ${formatMs(last.dueMs)}`;
  return `given back ${last.times === 1 ? 'once' : `${last.times} times`}${again}: ${last.says}`;
}

/** For a job that is over and not done, or held up. */
export function adviceOf(job: FleetJob): string | undefined {
  const { id, result, after = '', heldBy, plan = '<plan>', base = '', seen } = job;
  const short = id.slice(0, 8);
  if (heldBy !== undefined)
    return `\`pawl fleet ${after.slice(0, 8)}\` says what that one needs: once its plan is submitted again, this job waits for it. \`pawl fleet cancel ${short}\` cancels this one.`;
  const again = `\`pawl fleet submit ${plan} --base ${base}\` puts it into the queue again`;
  switch (result?.kind) {
    case undefined:
    case 'done':
      return undefined;
    case 'asks':
      return `\`pawl fleet answer ${short} <task> "…"\` answers it, and puts it into the queue again.`;
    case 'budget':
      return `\`pawl fleet budget ${short} <dollars>\` gives it more, and puts it into the queue again.`;
    case 'failed':
      return `\`pawl fleet retry ${short}\` puts it into the queue again.`;
    case 'parted':
      // What did not begin says itself why.
      return result.exit === 8
        ? `Its work is in its clone on ${seen?.worker ?? 'the worker'}, below ~/.local/state/pawl/fleet: push it from there, to another branch if need be.`
        : undefined;
    case 'elsewhere':
      return '`pawl status --remote` shows who has it.';
    default:
      return `${again}${seen ? `; \`pawl fleet take ${seen.branch}\` brings it to this machine` : ''}.`;
  }
}
