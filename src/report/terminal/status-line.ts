// Formats the status line to fit a width, dropping the least important parts first, with a line above it for each lane; or
// the line a person types. Pure.
import { formatUsd } from '../../dollars.ts';
import { formatCommand, formatMs, formatShare, formatTime, formatToolDetail } from '../text/figure.ts';
import { cleanText, speakerOf } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import type { Doing, Live } from './live-state.ts';

/** How wide the lines may be, and how a reader sees files. */
type StatusOptions = Readonly<{
  columns: number;
  root?: string | undefined;
}>;

/** The lines at an instant: one for each active lane, at most `most`, and that of the run. */
export function statusLines(
  live: Live,
  nowMs: number,
  { most, ...options }: StatusOptions & Readonly<{ most: number }>,
): readonly string[] {
  const whole = statusLine(live, nowMs, options);
  if (whole === '' || live.waiting !== undefined || live.pause?.since !== undefined) return [whole];
  const lanes = [...live.lanes].toSorted(([one], [other]) => one - other);
  const lines = lanes.map(([, doing]) => cutToWidth(laneLine(doing, nowMs, options.root), options.columns));
  const isAll = lines.length <= most;
  const shown = isAll ? lines : lines.slice(0, Math.max(0, most - 1));
  const left = isAll ? [] : [`and ${lines.length - shown.length} more at work`];
  return [...shown, ...left, whole];
}

function laneLine(doing: Doing, nowMs: number, root: string | undefined): string {
  const { task = '', attempt = 1, session, check, tool, turnOver } = doing;
  const what =
    check === undefined && tool === undefined && turnOver !== undefined
      ? `${formatMs(nowMs - turnOver)} waiting to land`
      : (formatAct(doing, nowMs, root) ?? (session === undefined ? 'begins' : 'thinking'));
  return cleanText(`${speakerOf(task)}${attempt > 1 ? `attempt ${attempt}${separator}` : ''}${what}`);
}

/** The status line at an instant, at most `columns` wide; empty if nothing is going on. */
export function statusLine(live: Live, nowMs: number, options: StatusOptions): string {
  const { columns } = options;
  const parts = partsOf(live, nowMs, options);
  for (let weight = 1; weight <= heaviest; weight += 1) {
    const text = joinParts(parts.filter((part) => part.weight >= weight));
    if (widthOf(text) <= columns) return text;
    // What is being done is shortened before anything else is dropped, as long as a useful piece of it is left.
    const spare =
      columns - widthOf(joinParts(parts.filter((part) => part.weight >= weight && !part.elastic)));
    const elastic = parts.find((part) => part.elastic && part.weight >= weight);
    if (elastic && spare >= fewestForElastic) {
      const cut = parts.map((part) =>
        part === elastic ? { ...part, text: cutToWidth(part.text, spare - separator.length) } : part,
      );
      return joinParts(cut.filter((part) => part.weight >= weight));
    }
  }
  return cutToWidth(parts.at(0)?.text ?? '', columns);
}

/** A part of the line; a higher weight stays longer. */
type Part = Readonly<{ text: string; weight: number; elastic?: boolean }>;

const separator = ' · ';
const heaviest = 7;
const fewestForElastic = 16;

function partsOf(live: Live, nowMs: number, { root }: Pick<StatusOptions, 'root'>): readonly Part[] {
  if (live.phase === undefined && live.waiting === undefined && live.pause === undefined) return [];
  const doing = formatDoing(live, nowMs, root);
  return [
    ...(live.waiting ? [{ text: formatWaiting(live.waiting, nowMs), weight: 7 }] : []),
    ...(live.pause ? [{ text: formatPause(live.pause, nowMs), weight: 7 }] : []),
    { text: formatPlace(live), weight: live.waiting || live.pause?.since !== undefined ? 4 : 7 },
    ...(live.attempt === undefined
      ? []
      : [{ text: `attempt ${live.attempt}`, weight: live.attempt > 1 ? 4 : 2 }]),
    ...(doing === undefined ? [] : [{ text: doing, weight: 6, elastic: true }]),
    ...(live.since === undefined ? [] : [{ text: formatMs(nowMs - live.since), weight: 5 }]),
    ...formatSpent(live).map((text) => ({ text, weight: 4 })),
    ...(live.limit ? [{ text: `${live.limit.name} ${formatShare(live.limit.share)}`, weight: 3 }] : []),
    ...formatContext(live),
  ].map((part) => ({ ...part, text: cleanText(part.text) }));
}

function formatPlace({ phase, task, tasks, lanes, closed }: Live): string {
  if (lanes.size > 0) return `${tasks.filter((id) => closed.has(id)).length}/${tasks.length} closed`;
  if (task === undefined) return phase ?? '';
  const index = tasks.indexOf(task);
  return index < 0 ? `task ${task}` : `task ${index + 1}/${tasks.length}`;
}

function formatDoing(live: Live, nowMs: number, root: string | undefined): string | undefined {
  const { lanes, open, waiting, pause } = live;
  if (waiting || pause?.since !== undefined) return undefined;
  const act = formatAct(live, nowMs, root);
  if (act !== undefined || lanes.size > 0) return act;
  return open.size > 0 ? 'thinking' : undefined;
}

function formatAct({ tool, check }: Doing, nowMs: number, root: string | undefined): string | undefined {
  if (check) return `${formatMs(nowMs - check.since)} check ${formatCommand(check.command)}`;
  if (tool)
    return `${formatMs(nowMs - tool.since)} ${tool.name} ${formatToolDetail(tool.detail, root)}`.trimEnd();
  return undefined;
}

function formatWaiting({ why, until }: NonNullable<Live['waiting']>, nowMs: number): string {
  if (why === 'answer') return 'waiting for your answer';
  return `waiting ${waitReason[why] ?? why} until ${formatTime(until, nowMs)}, ${formatMs(Math.max(0, until - nowMs))} left`;
}

const waitReason: Readonly<Record<string, string>> = {
  limit: 'for the usage limit',
  overload: 'for the service',
  crash: 'after a crash',
  start: 'to start',
};

/** What the run has cost over all its starts; with a `+` if it is a lower bound. */
function formatSpent({ costs, costUsd, unsure, open, capUsd, isEquivalent }: Live): readonly string[] {
  if (costs.size === 0) return unsure.size > 0 ? ['cost unknown'] : [];
  const more = open.size > 0 || unsure.size > 0 ? '+' : '';
  const cap = capUsd === undefined ? '' : ` of ${formatUsd(capUsd)}`;
  return [`${formatUsd(costUsd)}${more}${cap}${isEquivalent ? ' API-equivalent' : ''}`];
}

function formatPause({ since }: NonNullable<Live['pause']>, nowMs: number): string {
  return since === undefined ? 'pausing' : `paused ${formatMs(nowMs - since)}`;
}

function formatContext({ context }: Live): readonly Part[] {
  return context === undefined ? [] : [{ text: `context ${formatShare(context)}`, weight: 1 }];
}

function joinParts(parts: readonly Part[]): string {
  return parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(separator);
}

/** A line being typed: what it is for, what is typed, and what ends it. */
export type Prompt = Readonly<{ label: string; text: string; hint: string }>;

const cursor = '▏';

/** The line at most `columns` wide; the hint is dropped first, then the beginning of the text. */
export function promptLine({ label, text, hint }: Prompt, columns: number): string {
  const head = `${label} › `;
  const whole = `${head}${cleanText(text)}${cursor}`;
  const hinted = `${whole}  ${hint}`;
  if (widthOf(hinted) <= columns) return hinted;
  if (widthOf(whole) <= columns) return whole;
  const room = columns - widthOf(head) - widthOf(cursor) - 1;
  return room < 1 ? cutToWidth(whole, columns) : `${head}…${endOf(cleanText(text), room)}${cursor}`;
}

/** The end of a text, at most that wide. */
function endOf(text: string, columns: number): string {
  let end = '';
  for (const character of [...text].reverse()) {
    if (widthOf(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
