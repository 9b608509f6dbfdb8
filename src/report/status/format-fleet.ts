// Formats a fleet: workers, jobs, and how old each report is.
import { formatCount, formatMoment, formatMs } from '../text/figure.ts';
import { emptyLine, type Line, labelled, line } from '../text/line.ts';
import {
  adviceOf,
  describeLast,
  type FleetJob,
  type FleetView,
  heads,
  isThere,
  toneOf,
} from './fleet-view.ts';

/** A worker reports every 20 s. */
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
  const last = describeLast(job);
  const wait = describeWait(job);
  const what = `${job.id.slice(0, 8)} ${job.plan ?? 'not a pawl job'}${job.base ? ` on ${job.base}` : ''}`;
  return line(
    toneOf(job),
    `${what}${job.state === 'active' ? describeSeen(job) : ''}${describeResult(job)}${describeHold(job)}${wait ? ` – ${wait}` : ''}${last ? ` – ${last}` : ''}`,
    1,
  );
}

function describeResult({ result }: FleetJob): string {
  return result ? ` – ${result.kind}: ${result.says}` : '';
}

function describeHold({ id, after = '', heldBy }: FleetJob): string {
  if (heldBy === undefined) return '';
  return ` – ${after.slice(0, 8)}, which it comes after, ended as ${heldBy}; \`pawl fleet ${id.slice(0, 8)}\` says what it needs`;
}

function describeSeen({ seen }: FleetJob): string {
  if (!seen) return ' – starting';
  const { worker, tasks, task, ageMs } = seen;
  const at = task ? `, at ${task.id}: ${task.title}` : '';
  return ` – ${tasks.closed} of ${formatCount(tasks.total, 'task')}${at}; ${worker}, ${formatMs(ageMs)} ago`;
}

function describeWait({ state, after = '', lack }: FleetJob): string | undefined {
  return state === 'waiting' ? `after ${after.slice(0, 8)}` : lack;
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
    ['tasks', seen && describeSeen(job).slice(3)],
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
