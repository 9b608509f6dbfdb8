// Formats what is at the bottom of a terminal to fit a width: what is asked, what is worked on, how far the run is; or the
// line a person types. Pure.
import { formatUsd } from '../../dollars.ts';
import { formatCommand, formatMs, formatShare, formatTime } from '../text/figure.ts';
import { cleanText, type Line, type Span, span, spanned } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import type { LiveActivity, LiveRun } from './live-state.ts';

/** How much room there is, in columns and lines. */
type Room = Readonly<{ columns: number; most: number }>;

/** The rows at an instant: a rule, open questions, what is worked on, in the order of the tasks, and the progress. */
export function statusRows(live: LiveRun, nowMs: number, { columns, most }: Room): readonly Line[] {
  if (live.phase === undefined && live.waiting === undefined && live.pause === undefined) return [];
  const isIdle = live.waiting !== undefined || live.pause?.since !== undefined;
  const rows = [...askingRows(live, nowMs), ...(isIdle ? [] : workingRows(live, nowMs))];
  const room = Math.max(0, most - 2);
  const isAll = rows.length <= room;
  const shown = isAll ? rows : rows.slice(0, Math.max(0, room - 1));
  const more = isAll ? [] : [spanned('dim', [span('dim', `   and ${rows.length - shown.length} more`)])];
  const wide = idWidth(rows);
  return [
    spanned('dim', [span('dim', '─'.repeat(columns))]),
    ...shown.map((row) => layOut(row, wide, columns)),
    ...more,
    progressRow(live, nowMs, columns),
  ];
}

type Row = Readonly<{ sign: Span; id: string; title: string; act: Span; ms: number | undefined }>;

function askingRows({ tasks, titles, asking }: LiveRun, nowMs: number): readonly Row[] {
  return tasks
    .filter((id) => asking.has(id))
    .map((id) => ({
      sign: span('warn', '?'),
      id,
      title: titles.get(id) ?? '',
      act: span('warn', 'asks you: press a, or pawl answer'),
      ms: nowMs - (asking.get(id) ?? nowMs),
    }));
}

function workingRows(live: LiveRun, nowMs: number): readonly Row[] {
  const all = live.lanes.size > 0 ? [...live.lanes.values()] : [live];
  const order = ({ task = '' }: LiveActivity) => live.tasks.indexOf(task);
  return all
    .toSorted((one, other) => order(one) - order(other))
    .map((doing) => {
      const { act, ms } = actOf(doing, { live, nowMs });
      const attempt = (doing.attempt ?? 1) > 1 ? [`attempt ${doing.attempt}`] : [];
      const task = doing.task === undefined || live.closed.has(doing.task) ? undefined : doing.task;
      return {
        sign: span('head', '●'),
        id: task ?? '',
        title: task === undefined ? (live.phase ?? '') : (live.titles.get(task) ?? ''),
        act: span('plain', [...attempt, ...(act === '' ? [] : [act])].join(': ')),
        ms,
      };
    });
}

function actOf(
  { check, tool, turnOver, session }: LiveActivity,
  { live, nowMs }: Readonly<{ live: LiveRun; nowMs: number }>,
): Readonly<{ act: string; ms: number | undefined }> {
  if (check) return { act: formatCommand(check.command), ms: nowMs - check.since };
  if (tool) return { act: `${tool.name} ${tool.detail}`.trimEnd(), ms: nowMs - tool.since };
  if (turnOver !== undefined && live.lanes.size > 0) return { act: 'waiting to land', ms: nowMs - turnOver };
  const isThinking = session !== undefined || live.open.size > 0;
  return { act: isThinking ? 'thinking' : '', ms: undefined };
}

function idWidth(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(({ id }) => widthOf(id)));
}

/** Sign, id, title and act in columns; the title gives way first, then the act. */
function layOut({ sign, id, title, act, ms }: Row, wide: number, columns: number): Line {
  const time = ms === undefined ? '' : formatMs(ms);
  const head = `  ${id.padEnd(wide)}${wide > 0 ? '  ' : ''}`;
  const rest = columns - 1 - widthOf(head) - timeColumns;
  if (rest < fewestColumns)
    return spanned('plain', [sign, cutToWidth(`${head}${cleanText(act.text)}`, columns - 1)]);
  const forTitle = act.text === '' ? rest : Math.min(widest, Math.floor(rest * 0.4));
  const name = pad(cutToWidth(cleanText(title), forTitle), forTitle);
  const room = rest - forTitle - 2;
  const what = act.text === '' ? '' : pad(cutToWidth(cleanText(act.text), room), room);
  const gap = act.text === '' ? '' : '  ';
  return spanned('plain', [
    sign,
    head,
    name,
    gap,
    span(act.tone, what),
    span('dim', time.padStart(timeColumns)),
  ]);
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

const timeColumns = 8;
const widest = 36;
const fewestColumns = 24;

/** How far it is, when it may be done, what it costs; what has no room is left out from the end. */
function progressRow(live: LiveRun, nowMs: number, columns: number): Line {
  const stopped = live.waiting
    ? [formatWaiting(live.waiting, nowMs)]
    : live.pause
      ? [formatPause(live.pause, nowMs)]
      : [];
  const parts = [
    ...stopped,
    ...finishOf(live, nowMs),
    ...formatSpent(live),
    ...(live.limit ? [`${live.limit.name} ${formatShare(live.limit.share)}`] : []),
    ...(live.since === undefined ? [] : [formatMs(nowMs - live.since)]),
    ...(live.context === undefined ? [] : [`context ${formatShare(live.context)}`]),
  ].map(cleanText);
  const figures = live.tasks.length === 0 ? '' : `${countClosed(live)}/${live.tasks.length}`;
  const bar = columns < narrow || figures === '' ? [] : [...barOf(live), span('plain', '  ')];
  const texts: string[] = figures === '' ? [] : [figures];
  let left = columns - (bar.length === 0 ? 0 : barColumns + 2) - widthOf(figures);
  for (const text of parts) {
    if (widthOf(text) + 3 > left) break;
    texts.push(text);
    left -= widthOf(text) + 3;
  }
  if (texts.length === 0) return spanned('plain', [cutToWidth(parts[0] ?? '', columns)]);
  const toneAt = (text: string) => (stopped.includes(text) ? 'warn' : text === figures ? 'plain' : 'dim');
  return spanned('plain', [
    ...bar,
    ...texts.map((text, at) => span(toneAt(text), `${at === 0 ? '' : '   '}${text}`)),
  ]);
}

function countClosed({ tasks, closed }: LiveRun): number {
  return tasks.filter((id) => closed.has(id)).length;
}

const narrow = 40;
const barColumns = 20;

/** Closed tasks, those that ask, those in work, and the rest. */
function barOf(live: LiveRun): readonly Span[] {
  const { tasks, closed, asking, lanes, task } = live;
  const count = tasks.length;
  const isIn = new Set([...[...lanes.values()].map((lane) => lane.task), task]);
  const done = countClosed(live);
  const asks = tasks.filter((id) => asking.has(id)).length;
  const works = tasks.filter((id) => isIn.has(id) && !closed.has(id) && !asking.has(id)).length;
  const cells = (number: number) => Math.round((number / count) * barColumns);
  const [a, b, c] = [cells(done), cells(done + asks), cells(done + asks + works)];
  return [
    span('good', '█'.repeat(a)),
    span('warn', '▒'.repeat(b - a)),
    span('plain', '▒'.repeat(c - b)),
    span('dim', '░'.repeat(barColumns - c)),
  ];
}

/** When the tasks may be done, once two have shown how long one takes. */
function finishOf({ tasks, closed, tookMs, lanes }: LiveRun, nowMs: number): readonly string[] {
  const left = tasks.filter((id) => !closed.has(id)).length;
  if (tookMs.length < 2 || left === 0) return [];
  const mean = tookMs.reduce((sum, ms) => sum + ms, 0) / tookMs.length;
  return [`done ≈ ${formatTime(nowMs + (mean * left) / Math.max(1, lanes.size), nowMs)}`];
}

function formatWaiting({ why, until }: NonNullable<LiveRun['waiting']>, nowMs: number): string {
  if (why === 'answer') return 'waiting for your answer';
  return `waiting ${waitReason[why] ?? why} until ${formatTime(until, nowMs)}, ${formatMs(Math.max(0, until - nowMs))} left`;
}

const waitReason: Readonly<Record<string, string>> = {
  limit: 'for the usage limit',
  overload: 'for the service',
  crash: 'after a crash',
  ci: 'for CI',
};

/** What the run has cost over all its starts, with a `+` if it is a lower bound, and what it may come to. */
function formatSpent(live: LiveRun): readonly string[] {
  const { costs, costUsd, unsure, open, capUsd, isEquivalent, tasks, tookMs } = live;
  if (costs.size === 0) return unsure.size > 0 ? ['cost unknown'] : [];
  const more = open.size > 0 || unsure.size > 0 ? '+' : '';
  const cap = capUsd === undefined ? '' : ` of ${formatUsd(capUsd)}`;
  const done = countClosed(live);
  const isOver = done === tasks.length;
  const whole = tookMs.length < 2 || isOver ? '' : ` (≈ ${formatUsd((costUsd / done) * tasks.length)})`;
  return [`${formatUsd(costUsd)}${more}${cap}${isEquivalent ? ' API-equivalent' : ''}${whole}`];
}

function formatPause({ since }: NonNullable<LiveRun['pause']>, nowMs: number): string {
  return since === undefined ? 'pausing' : `paused ${formatMs(nowMs - since)}`;
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

function endOf(text: string, columns: number): string {
  let end = '';
  for (const character of [...text].reverse()) {
    if (widthOf(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
