// Formats the bottom of a terminal to fit a width. Pure.
import { formatUsd } from '../../dollars.ts';
import { timeTaken } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { formatCommand, formatMs, formatShare, formatTime } from '../text/figure.ts';
import { cleanText, type Line, type Span, span, spanned } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import type { RunView, WorkInProgress } from '../view/run-view.ts';
import { viewRun } from '../view/view-run.ts';
import { type LiveRun, type LiveSession, withLiveCosts } from './live.ts';

/** `most`: lines. */
type Room = Readonly<{ columns: number; most: number }>;

type BarContent = Readonly<{ state: RunState; view: RunView; live: LiveRun; nowMs: number }>;

export function statusRows(
  state: RunState,
  live: LiveRun,
  { nowMs, columns, most }: Room & Readonly<{ nowMs: number }>,
): readonly Line[] {
  const { phase, waiting, pause, ended } = state;
  if (ended || (phase === undefined && waiting === undefined && pause === undefined)) return [];
  const view = viewRun(withLiveCosts(state, live), { isHeld: true });
  const shown = { state, view, live, nowMs };
  const isIdle = waiting !== undefined || pause?.since !== undefined;
  const rows = [...askingRows(shown), ...(isIdle ? [] : workingRows(shown))];
  const room = Math.max(0, most - 2);
  const isAll = rows.length <= room;
  const fitting = isAll ? rows : rows.slice(0, Math.max(0, room - 1));
  const more = isAll ? [] : [spanned('dim', [span('dim', `   and ${rows.length - fitting.length} more`)])];
  const wide = Math.max(0, ...rows.map(({ id }) => widthOf(id)));
  return [
    spanned('dim', [span('dim', '─'.repeat(columns))]),
    ...fitting.map((row) => layOut(row, wide, columns)),
    ...more,
    progressRow(shown, columns),
  ];
}

type Row = Readonly<{ sign: Span; id: string; title: string; act: Span; ms: number | undefined }>;

function askingRows({ view, nowMs }: BarContent): readonly Row[] {
  return view.needs
    .filter(({ kind }) => kind === 'question')
    .map(({ task = '', title, since }) => ({
      sign: span('warn', '?'),
      id: task,
      title,
      act: span('warn', 'asks you: press a, or pawl answer'),
      ms: since === undefined ? undefined : nowMs - Date.parse(since),
    }));
}

function workingRows(shown: BarContent): readonly Row[] {
  const works = listWorkNow(shown);
  const sign = span('head', '●');
  if (works.length === 0) {
    const { act, ms } = actOf(shown, undefined);
    const title = isProving(shown.state) ? 'what the checks prove' : (shown.view.phase ?? '');
    return [{ sign, id: '', title, act: span('plain', act), ms }];
  }
  return works.map((work) => {
    const { act, ms } = actOf(shown, work);
    const attempt = work.attempt > 1 ? [`attempt ${work.attempt}`] : [];
    const text = [...attempt, ...(act === '' ? [] : [act])].join(': ');
    return { sign, id: work.id, title: work.title, act: span('plain', text), ms };
  });
}

/** Closed tasks wait for their experiments, and nothing else is worked on. */
function isProving({ phase, tasks }: RunState): boolean {
  return phase === 'tasks' && [...tasks.values()].some(({ closed, judged }) => closed && !judged);
}

/** In the order of the plan; a task left open is not worked on in another phase. */
function listWorkNow({ state, view }: BarContent): readonly WorkInProgress[] {
  const works = state.phase === 'tasks' ? state.tasks : state.fixes;
  const order = [...works.keys()];
  return view.inWork
    .filter(({ id }) => works.has(id))
    .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

function actOf(
  { state, live, nowMs }: BarContent,
  work: WorkInProgress | undefined,
): Readonly<{ act: string; ms: number | undefined }> {
  const lane = (work && state.tasks.get(work.id))?.start?.lane ?? 0;
  const check = live.checks.get(lane);
  if (check) return { act: formatCommand(check.command), ms: nowMs - check.since };
  const sessions = sessionsOf(live, work);
  const tool = sessions.findLast((session) => session.tool)?.tool;
  if (tool) return { act: `${tool.name} ${tool.detail}`.trimEnd(), ms: nowMs - tool.since };
  const over = sessions.at(-1)?.turnOver;
  if (over !== undefined && lane > 0) return { act: 'waiting to land', ms: nowMs - over };
  return { act: sessions.length > 0 ? 'thinking' : '', ms: undefined };
}

/** Of work that is no task, all that are open. */
function sessionsOf({ sessions }: LiveRun, work: WorkInProgress | undefined): readonly LiveSession[] {
  if (work === undefined) return [...sessions.values()];
  const own = work.session === undefined ? undefined : sessions.get(work.session);
  return own ? [own] : [];
}

/** The title gives way first, then the act. */
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

/** What has no room is left out from the end. */
function progressRow(shown: BarContent, columns: number): Line {
  const { state, view, nowMs } = shown;
  const { waiting, pause } = state;
  const stopped = waiting ? [formatWaiting(waiting, nowMs)] : pause ? [formatPause(pause, nowMs)] : [];
  const fullest = view.windows.toSorted((one, other) => (other.utilization ?? 0) - (one.utilization ?? 0))[0];
  const context = contextOf(shown);
  const parts = [
    ...stopped,
    ...formatFinish(shown),
    ...formatSpent(shown),
    ...(fullest ? [`${fullest.name || 'limit'} ${formatShare(fullest.utilization ?? 0)}`] : []),
    formatMs(timeTaken(state, nowMs)),
    ...(context === undefined ? [] : [`context ${formatShare(context)}`]),
  ].map(cleanText);
  const { closed, total } = view.tasks;
  const figures = total === 0 ? '' : `${closed}/${total}`;
  const bar = columns < narrow || figures === '' ? [] : [...barOf(shown), span('plain', '  ')];
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

/** Of several sessions none is shown. */
function contextOf({ state, live, view }: BarContent): number | undefined {
  if (view.inWork.length > 1 || live.sessions.size > 1) return undefined;
  const [[number, { context }] = [0, {} as LiveSession]] = live.sessions;
  return context ?? state.sessions.get(number)?.contextShare;
}

const narrow = 40;
const barColumns = 20;

function barOf({ state, view }: BarContent): readonly Span[] {
  const { closed: done, parked: asks, total: count } = view.tasks;
  const works = view.inWork.filter(({ id }) => state.tasks.has(id)).length;
  const cells = (number: number) => Math.round((number / count) * barColumns);
  const [a, b, c] = [cells(done), cells(done + asks), cells(done + asks + works)];
  return [
    span('good', '█'.repeat(a)),
    span('warn', '▒'.repeat(b - a)),
    span('plain', '▒'.repeat(c - b)),
    span('dim', '░'.repeat(barColumns - c)),
  ];
}

function formatFinish({ view, nowMs }: BarContent): readonly string[] {
  if (!view.forecast) return [];
  const at = Math.max(nowMs, Date.parse(view.lastAt) + view.forecast.leftMs);
  return [`done ≈ ${formatTime(at, nowMs)}`];
}

function formatWaiting({ why, until }: NonNullable<RunState['waiting']>, nowMs: number): string {
  if (why === 'answer') return 'waiting for your answer';
  return `waiting ${waitReason[why] ?? why} until ${formatTime(until, nowMs)}, ${formatMs(Math.max(0, until - nowMs))} left`;
}

const waitReason: Readonly<Record<string, string>> = {
  limit: 'for the usage limit',
  overload: 'for the service',
  crash: 'after a crash',
  ci: 'for CI',
  comments: 'for comments',
};

/** Over all starts, `+` for a lower bound, and what it may come to. */
function formatSpent({ state, view }: BarContent): readonly string[] {
  const { costUsd, atLeast, sessions } = view.spent;
  if (sessions === 0) return [];
  if (costUsd === undefined)
    return [...state.sessions.values()].some(({ ended }) => ended) ? ['cost unknown'] : [];
  const cap = view.caps.find(({ budget }) => budget === 'cost')?.cap;
  const most = cap === undefined ? '' : ` of ${formatUsd(cap)}`;
  const whole = view.forecast?.costUsd === undefined ? '' : ` (≈ ${formatUsd(view.forecast.costUsd)})`;
  const equivalent = view.apiEquivalent === undefined ? '' : ' API-equivalent';
  return [`${formatUsd(costUsd)}${atLeast ? '+' : ''}${most}${equivalent}${whole}`];
}

function formatPause({ since }: NonNullable<RunState['pause']>, nowMs: number): string {
  return since === undefined ? 'pausing' : `paused ${formatMs(nowMs - Date.parse(since))}`;
}
