// Formats a fleet: workers, jobs, and how old each report is.
import { formatCount, formatMoment, formatMs } from '../text/figure.ts';
import { emptyLine, type Line, labelled, line } from '../text/line.ts';

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

const heads: Readonly<Record<FleetJob['state'], string>> = {
  active: 'Running',
  queued: 'In the queue',
  waiting: 'Waiting for another job',
  held: 'Held',
  over: 'Finished in the last 24 hours',
};

function toneOf({ state, result, lack }: FleetJob): 'good' | 'bad' | 'warn' | 'plain' {
  if (!result) return lack || state === 'held' ? 'warn' : 'plain';
  if (result.kind === 'done') return 'good';
  return result.kind === 'failed' ? 'bad' : 'warn';
}

function describeLast({ result, last }: FleetJob): string | undefined {
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
  const again = 'puts it into the queue again';
  switch (result?.kind) {
    case undefined:
    case 'done':
      return undefined;
    case 'asks':
      return `\`pawl fleet answer ${short} <task> "…"\` answers it, and ${again}.`;
    case 'budget':
      return `\`pawl fleet budget ${short} <dollars>\` gives it more, and ${again}.`;
    // It is not what was submitted any more.
    case 'needs-trust':
      return `\`pawl fleet submit ${plan} --base ${base}\` ${again}, as it is now.`;
    case 'parted':
      // What did not begin says itself why.
      return result.exit === 8
        ? `Its work is in its clone on ${seen?.worker ?? 'the worker'}, below ~/.local/state/pawl/fleet: push it from there, to another branch if need be.`
        : undefined;
    case 'elsewhere':
      return '`pawl status --remote` shows who has it.';
    default:
      return `\`pawl fleet retry ${short}\` ${again}${seen ? `; \`pawl fleet take ${seen.branch}\` brings it to this machine` : ''}.`;
  }
}

/** A worker reports every few seconds. */
const lateMs = 30_000;

export function formatFleet({ database, workers, jobs }: FleetView): readonly Line[] {
  const rows = workers.map((worker) => {
    const { name, slots, busy, says, ageMs } = worker;
    const heard = ageMs > lateMs ? `, last heard from ${formatMs(ageMs)} ago` : '';
    const words = `${busy} of ${formatCount(slots, 'slot')} busy${heard}`;
    return line(
      !isThere(worker) || says !== '' ? 'warn' : 'plain',
      isThere(worker)
        ? `${name}: ${words}${says && ` – ${says}`}`
        : `${name}: silent for ${formatMs(ageMs)}; its plans are offered to others`,
      1,
    );
  });
  const sections = Object.entries(heads).flatMap(([state, title]) => {
    const found = jobs.filter((job) => job.state === state);
    return found.length === 0 ? [] : [emptyLine, line('head', title), ...found.map(formatRow)];
  });
  return [
    line('head', `Workers at ${database}`),
    ...(rows.length > 0 ? rows : [line('dim', 'none: `pawl fleet work` starts one', 1)]),
    ...(sections.length > 0 ? sections : [emptyLine, line('dim', 'The queue is empty.')]),
  ];
}

function formatRow(job: FleetJob): Line {
  const { id, plan, base, state, result, after = '', heldBy } = job;
  const [short, first] = [id.slice(0, 8), after.slice(0, 8)];
  const words = [
    `${short} ${plan ?? 'not a pawl job'}${base ? ` on ${base}` : ''}`,
    state === 'active' && describeSeen(job),
    result && `${result.kind}: ${result.says}`,
    heldBy &&
      `${first}, which it comes after, ended as ${heldBy}; \`pawl fleet ${short}\` says what it needs`,
    state === 'waiting' ? `after ${first}` : job.lack,
    describeLast(job),
  ];
  return line(toneOf(job), words.filter(Boolean).join(' – '), 1);
}

function describeSeen({ seen }: FleetJob): string {
  if (!seen) return 'starting';
  const { worker, tasks, task, ageMs } = seen;
  const at = task ? `, at ${task.id}: ${task.title}` : '';
  return `${tasks.closed} of ${formatCount(tasks.total, 'task')}${at}; ${worker}, ${formatMs(ageMs)} ago`;
}

export function formatJob(job: FleetJob): readonly Line[] {
  const { id, state, plan, repo, base, requests = [], by, after, run, result, seen, submitted } = job;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['job', id],
    ['state', state],
    ['repo', repo && `${repo}, ${base}`],
    ['by', by && `${by}, ${formatMoment(Date.parse(submitted))}`],
    ['after', after],
    ['run', run],
    ['tasks', seen && describeSeen(job)],
    ['branch', seen?.branch],
    ['waits', job.lack],
    ['last', describeLast(job)],
    ...requests.map(
      ({ wish, by: asker, reply }) =>
        ['asked', `${wish}, by ${asker}: ${reply ? reply.text : 'not taken yet'}`] as const,
    ),
    ['result', result && `${result.kind}, exit ${result.exit}: ${result.says}`],
    ['then', adviceOf(job)],
  ];
  return [
    line('head', plan ?? 'not a pawl job'),
    ...rows.flatMap(([label, text]) => (text ? [labelled('plain', label, text)] : [])),
  ];
}
