// A fleet in lines: who works, what waits, how far each run is, and how old that is.
import { formatCount, formatMs } from '../text/figure.ts';
import { emptyLine, type Line, labelled, line, type Tone } from '../text/line.ts';

/** A job as the plain value that `pawl fleet --json` prints; what stands in the database and is no job of pawl's has no plan. */
export type FleetJob = Readonly<{
  id: string;
  state: 'waiting' | 'queued' | 'active' | 'over' | 'dead';
  priority: number;
  submitted: string;
  repo?: string;
  base?: string;
  plan?: string;
  labels?: readonly string[];
  by?: string;
  /** Why it is in the queue and nobody begins with it. */
  lack?: string;
  after?: string;
  run?: string;
  result?: Readonly<{ kind: string; exit: number; says: string }>;
  /** Its run as its worker told of it last. */
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

/** A worker that was silent for longer may be gone. */
const silentMs = 60_000;

/** Whether a worker still tells of itself. */
export function isThere({ ageMs }: FleetView['workers'][number]): boolean {
  return ageMs <= silentMs;
}

const heads: Readonly<Record<FleetJob['state'], string>> = {
  active: 'In work',
  queued: 'In the queue',
  waiting: 'Waiting for another',
  dead: 'Dead letters',
  over: 'Over since yesterday',
};

/** All of it. */
export function formatFleet({ database, workers, jobs }: FleetView): readonly Line[] {
  const rows = workers.map((worker) => {
    const { name, labels, slots, busy, says, ageMs } = worker;
    const told = !isThere(worker) ? `, silent for ${formatMs(ageMs)}` : '';
    const words = `${busy} of ${formatCount(slots, 'slot')}${labels.length > 0 ? `, ${labels.join(', ')}` : ''}`;
    return line(
      !isThere(worker) || says !== '' ? 'warn' : 'plain',
      `${name}: ${words}${told}${says && ` – ${says}`}`,
      1,
    );
  });
  const sections = Object.entries(heads).flatMap(([state, title]) => {
    const found = jobs.filter((job) => job.state === state);
    return found.length === 0 ? [] : [emptyLine, line('head', title), ...found.map(formatRow)];
  });
  return [
    line('head', `Workers at ${database}`),
    ...(rows.length > 0 ? rows : [line('dim', 'none: `pawl worker` starts one', 1)]),
    ...(sections.length > 0 ? sections : [emptyLine, line('dim', 'The queue is empty.')]),
  ];
}

function formatRow(job: FleetJob): Line {
  const what = `${job.id.slice(0, 8)} ${job.plan ?? 'no job of pawl’s'}${job.base ? ` on ${job.base}` : ''}`;
  return line(
    toneOf(job),
    `${what}${job.state === 'active' ? describeSeen(job) : ''}${describeResult(job)}${job.lack ? ` – ${job.lack}` : ''}`,
    1,
  );
}

function toneOf({ state, result, lack }: FleetJob): Tone {
  if (!result) return lack ? 'warn' : 'plain';
  return state === 'dead' ? 'bad' : result.kind === 'done' ? 'good' : 'warn';
}

function describeResult({ result }: FleetJob): string {
  return result ? ` – ${result.kind}: ${result.says}` : '';
}

function describeSeen({ seen }: FleetJob): string {
  if (!seen) return ' – being begun';
  const { worker, tasks, task, ageMs } = seen;
  const at = task ? `, at ${task.id}: ${task.title}` : '';
  return ` – ${tasks.closed} of ${formatCount(tasks.total, 'task')}${at}; ${worker}, ${formatMs(ageMs)} ago`;
}

/** One job. */
export function formatJob(job: FleetJob): readonly Line[] {
  const { id, plan, repo, base, labels = [], by, after, run, result, seen, submitted } = job;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['job', id],
    ['state', job.state],
    ['repo', repo && `${repo}, ${base}`],
    ['labels', labels.length > 0 ? labels.join(', ') : undefined],
    ['by', by && `${by}, ${submitted}`],
    ['after', after],
    ['run', run],
    ['seen', seen && describeSeen(job).slice(3)],
    ['branch', seen?.branch],
    ['lack', job.lack],
    ['result', result && `${result.kind}, exit ${result.exit}: ${result.says}`],
    ['then', adviceOf(job)],
  ];
  return [
    line('head', plan ?? 'no job of pawl’s'),
    ...rows.flatMap(([label, text]) => (text ? [labelled('plain', label, text)] : [])),
  ];
}

/** What a person can do about a job that is over and not done. */
export function adviceOf({ result, plan = '<plan>', base, run, seen }: FleetJob): string | undefined {
  const again = `\`pawl submit ${plan}\``;
  const named = seen?.branch ?? run;
  if (!result) return undefined;
  switch (result.kind) {
    case 'done':
      return undefined;
    case 'asks':
      return `${named ? `\`pawl answer --remote ${named}\` shows what it asks, and answers; then ` : 'Answer it; then '}${again} goes on with it.`;
    case 'needs-trust':
      return `Submit it again from a clone that has ${base ?? 'its branch'} as it is on the remote now: what would run is shown there.`;
    case 'not-allowed':
      return 'List its repository in fleet.repos on a worker, or submit it again as it should be.';
    case 'held':
      return `${again} when what it comes after is done.`;
    case 'elsewhere':
      return '`pawl status --remote` shows who has it.';
    case 'environment':
    case 'dead':
      return `Put that right; then ${again} goes on with it.`;
    default:
      return `${again} goes on with it${named ? `; \`pawl take ${named}\` brings it to this machine` : ''}.`;
  }
}
