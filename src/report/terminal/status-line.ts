// Formats the bottom of a terminal to fit a width. Pure.
import { formatUsd } from '../../dollars.ts';
import { cutToWidth, fillWidth, widthOf } from '../../width.ts';
import { formatCommand, formatMs, formatShare, formatTime } from '../text/figure.ts';
import { cleanText, type Line, type Span, span, spanned } from '../text/line.ts';
import { formatWait, phaseTitle, takenUntil } from '../text/run-words.ts';
import type { RunView, WorkInProgress } from '../view/run-view.ts';
import type { LiveRun } from './live.ts';

/** `most`: lines. */
type Room = Readonly<{ columns: number; most: number; nowMs: number }>;

export function statusRows(view: RunView, live: LiveRun, { nowMs, columns, most }: Room): readonly Line[] {
  const isIdle = view.state === 'waiting' || view.state === 'paused';
  if (!isIdle && (view.state !== 'working' || view.phase === undefined)) return [];
  const rows = [...askingRows(view, nowMs), ...(isIdle ? [] : workingRows(view, live, nowMs))];
  const room = Math.max(0, most - 2);
  const isAll = rows.length <= room;
  const fitting = isAll ? rows : rows.slice(0, Math.max(0, room - 1));
  const wide = Math.max(0, ...rows.map(({ id }) => widthOf(id)));
  return [
    spanned('dim', [span('dim', '─'.repeat(columns))]),
    ...fitting.map((row) => layOut(row, wide, columns)),
    ...(isAll ? [] : [spanned('dim', [span('dim', `   and ${rows.length - fitting.length} more`)])]),
    progressRow(view, live, { nowMs, columns }),
  ];
}

/** `since`: epoch milliseconds. */
type Act = Readonly<{ text: string; since?: number | undefined }>;
type Row = Readonly<{ sign: Span; id: string; title: string; act: Span; ms: number | undefined }>;

function askingRows({ needs }: RunView, nowMs: number): readonly Row[] {
  return needs
    .filter(({ kind }) => kind === 'question')
    .map(({ task = '', title, since }) => ({
      sign: span('warn', '?'),
      id: task,
      title,
      act: span('warn', 'asks you: press a, or pawl answer'),
      ms: since === undefined ? undefined : nowMs - Date.parse(since),
    }));
}

function workingRows({ inWork, phase, tasks }: RunView, live: LiveRun, nowMs: number): readonly Row[] {
  // A task left open is not worked on in another phase.
  const works = inWork.filter(({ isBeside }) => isBeside === (phase !== 'tasks'));
  const title = phase === 'tasks' && tasks.pending > 0 ? 'what the checks prove' : phase && phaseTitle[phase];
  const rows = works.length > 0 ? works : [{ id: '', title: title ?? '', attempt: 1 }];
  return rows.map((work) => {
    const { text, since } = actOf(live, 'isBeside' in work ? work : undefined);
    const attempt = work.attempt > 1 ? [`attempt ${work.attempt}`] : [];
    return {
      ...work,
      sign: span('head', '●'),
      act: span('plain', [...attempt, ...(text === '' ? [] : [text])].join(': ')),
      ms: since === undefined ? undefined : nowMs - since,
    };
  });
}

/** Of what is no task, by all sessions that are open. */
function actOf({ checks, sessions }: LiveRun, work: WorkInProgress | undefined): Act {
  const check = checks.get(work?.id ?? '');
  if (check) return { text: formatCommand(check.command), since: check.since };
  const own = [...sessions].flatMap(([number, one]) => (!work || work.session === number ? [one] : []));
  const tool = own.findLast((session) => session.tool)?.tool;
  if (tool) return { text: `${tool.name} ${tool.detail}`.trimEnd(), since: tool.since };
  const last = own.at(-1);
  if (last?.turnOver !== undefined && last.isInLane) return { text: 'waiting to land', since: last.turnOver };
  return { text: last ? 'thinking' : '' };
}

/** The title gives way first, then the act. */
function layOut({ sign, id, title, act, ms }: Row, wide: number, columns: number): Line {
  const head = `  ${id.padEnd(wide)}${wide > 0 ? '  ' : ''}`;
  const rest = columns - 1 - widthOf(head) - timeColumns;
  if (rest < fewestColumns)
    return spanned('plain', [sign, cutToWidth(`${head}${cleanText(act.text)}`, columns - 1)]);
  const forTitle = act.text === '' ? rest - 2 : Math.min(widest, Math.floor(rest * 0.4));
  return spanned('plain', [
    sign,
    `${head}${fillWidth(cleanText(title), forTitle)}  `,
    span(act.tone, fillWidth(cleanText(act.text), rest - forTitle - 2)),
    span('dim', (ms === undefined ? '' : formatMs(ms)).padStart(timeColumns)),
  ]);
}

const timeColumns = 8;
const widest = 36;
const fewestColumns = 24;

/** What has no room is left out from the end. */
function progressRow(view: RunView, live: LiveRun, { nowMs, columns }: Omit<Room, 'most'>): Line {
  const { tasks, pausing, pausedSince, state, forecast, lastAt } = view;
  const paused =
    pausedSince === undefined ? 'pausing' : `paused ${formatMs(nowMs - Date.parse(pausedSince))}`;
  const [{ name = 'limit', utilization = 0 } = {}] = view.windows.toSorted(
    (one, other) => (other.utilization ?? 0) - (one.utilization ?? 0),
  );
  const parts = [
    ...(tasks.total === 0 ? [] : [span('plain', `${tasks.closed}/${tasks.total}`)]),
    ...(state === 'waiting' ? [span('warn', formatWait(view, nowMs))] : []),
    ...(state === 'paused' || pausing ? [span('warn', paused)] : []),
    ...[
      forecast ? `done ≈ ${formatTime(Math.max(nowMs, Date.parse(lastAt) + forecast.leftMs), nowMs)}` : '',
      formatSpent(view, live),
      view.windows.length === 0 ? '' : `${name} ${formatShare(utilization)}`,
      formatMs(takenUntil(view, nowMs)),
    ].flatMap((text) => (text === '' ? [] : [span('dim', text)])),
  ].map(({ tone, text }, at) => span(tone, `${at === 0 ? '' : '   '}${cleanText(text)}`));
  const bar = columns < narrow || tasks.total === 0 ? [] : [...barOf(view), span('plain', '  ')];
  let left = columns - (bar.length === 0 ? 0 : barColumns + 2);
  const tooMany = parts.findIndex(({ text }) => {
    left -= widthOf(text);
    return left < 0;
  });
  return spanned('plain', [...bar, ...parts.slice(0, tooMany < 0 ? parts.length : Math.max(1, tooMany))]);
}

const narrow = 40;
const barColumns = 20;

function barOf({ inWork, tasks: { closed, parked, total } }: RunView): readonly Span[] {
  const works = inWork.filter(({ isBeside }) => !isBeside).length;
  const cells = (number: number) => Math.round((number / total) * barColumns);
  const [a, b, c] = [cells(closed), cells(closed + parked), cells(closed + parked + works)];
  return [
    span('good', '█'.repeat(a)),
    span('warn', '▒'.repeat(b - a)),
    span('plain', '▒'.repeat(c - b)),
    span('dim', '░'.repeat(barColumns - c)),
  ];
}

/** Over all starts, `+` for a lower bound, and what it may come to. */
function formatSpent({ spent, caps, forecast, apiEquivalent }: RunView, live: LiveRun): string {
  const { costUsd, atLeast, sessions } = spent;
  if (sessions === 0) return '';
  if (costUsd === undefined) return sessions > live.sessions.size ? 'cost unknown' : '';
  const cap = caps.find(({ budget }) => budget === 'cost')?.cap;
  const most = cap === undefined ? '' : ` of ${formatUsd(cap)}`;
  const whole = forecast?.costUsd === undefined ? '' : ` (≈ ${formatUsd(forecast.costUsd)})`;
  const equivalent = apiEquivalent === undefined ? '' : ' API-equivalent';
  return `${formatUsd(costUsd)}${atLeast ? '+' : ''}${most}${equivalent}${whole}`;
}
