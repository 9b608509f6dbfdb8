// The receipt of a run: Markdown for `report.md` and requests, lines for a terminal, and a short one for its end.
import type { RunState } from '../../journal/state.ts';
import { cutToWidth, widthOf } from '../../width.ts';
import { formatStage } from '../findings/findings.ts';
import { areGood, listBadEnds } from '../findings/judge-findings.ts';
import { type Block, block, toLines, toMarkdown } from '../text/block.ts';
import { atMost, formatCost, formatSpent, formatTasks, shortOid } from '../text/figure.ts';
import { emptyLine, type Line, line, type Span, span, spanned } from '../text/line.ts';
import { type RunReport, reportRun } from '../view/report-run.ts';
import { type ReportOptions, reportWork, type WorkReport } from '../view/report-work.ts';

/** `endTold`: the reader has just read how it ended. */
export type ReceiptOptions = ReportOptions & Readonly<{ endTold?: boolean }>;

export function writeReceipt(state: RunState, options: ReceiptOptions = {}): string {
  return toMarkdown(receiptBlocks(reportRun(state, options)));
}

export function writeTaskReceipt(state: RunState, id: string): string {
  const report = reportWork(state, id);
  return report ? toMarkdown(taskBlocks(report)) : '';
}

export function receiptLines(state: RunState, options: ReceiptOptions = {}): readonly Line[] {
  return toLines(receiptBlocks(reportRun(state, options)));
}

/** For a file of instructions. */
export function writeLessons({ lessons }: Pick<RunState, 'lessons'>): string {
  return lessons.map(({ says }) => `- ${says}\n`).join('');
}

/** The end of a start that did nothing, whose reason was already shown. */
export function briefLines(state: RunState): readonly Line[] {
  return toLines(reportRun(state).next);
}

export function receiptBlocks(report: RunReport): readonly Block[] {
  const { alarms, stand, summary, tasks, sections, next } = report;
  const all = [...sections, { title: 'Next', blocks: next }].filter(({ blocks }) => blocks.length > 0);
  return [
    ...[...alarms, stand, ...summary],
    ...tasks.filter(({ isUntouched, standing }) => !isUntouched && standing !== 'before').flatMap(taskBlocks),
    ...all.flatMap(({ title, blocks }) => [block('section', 'head', title), ...blocks]),
  ];
}

function taskBlocks(work: WorkReport): readonly Block[] {
  const { mark, tone, id, title, word, why, outcome, checks, effort, look } = work;
  const name = `${mark} Task ${id}: ${title} — ${word}${why === '' ? '' : `: ${why}`}`;
  return [block('section', tone, name), ...outcome, ...checks, block('item', 'dim', effort), ...look];
}

/** Of more, those that closed as they should share a line. */
const mostTasks = 10;
const mostForYou = 12;
const mostTitle = 48;

/** At most twenty lines for a green run with up to ten tasks. */
export function shortReceipt(state: RunState, options: ReceiptOptions = {}): readonly Line[] {
  const report = reportRun(state, options);
  const { alarms, stand, summary, next, view } = report;
  const review = reviewWords(report);
  return [
    ...toLines([...alarms, ...(options.endTold && state.course.ended ? [] : [stand]), ...summary]),
    ...(view.spent.sessions === 0 ? [] : [line('dim', formatSpent(view.spent))]),
    ...(review === undefined ? [] : [line('plain', review)]),
    ...section(undefined, tasksLines(report.tasks)),
    ...section('For you', forYou(report)),
    ...section(next.length === 0 ? undefined : 'Next', toLines(next)),
    ...(view.what === 'planning' ? [] : [emptyLine, line('dim', 'All of it: pawl report')]),
  ];
}

/** The first lines tell of a review that is not clean. */
function reviewWords({ sections, findings: { stages } }: RunReport): string | undefined {
  const title = sections.find((one) => one.title.startsWith('Review'))?.title;
  if (title !== 'Review') return title;
  if (listBadEnds(stages).length > 0) return undefined;
  return `Review: ${areGood(stages) ? 'nothing found' : stages.map(formatStage).join('; ')}`;
}

function section(title: string | undefined, lines: readonly Line[]): readonly Line[] {
  if (lines.length === 0) return [];
  return [emptyLine, ...(title === undefined ? [] : [line('head', title)]), ...lines];
}

function isTrouble({ tone }: Block): boolean {
  return tone === 'bad' || tone === 'warn';
}

function troublesOf({ isUntouched, outcome, checks, look }: WorkReport): readonly Block[] {
  return isUntouched ? [] : [...outcome, ...checks, ...look].filter(isTrouble);
}

function tasksLines(tasks: readonly WorkReport[]): readonly Line[] {
  const clean = tasks.filter((task) => task.tone === 'good' && troublesOf(task).length === 0);
  const isFolded = tasks.length > mostTasks && clean.length > 1;
  const shown = isFolded ? tasks.filter((task) => !clean.includes(task)) : tasks;
  const wide = Math.max(...shown.map(({ id }) => widthOf(id)), 0);
  const titles = Math.min(mostTitle, Math.max(...shown.map(({ title }) => widthOf(title)), 0));
  const folded = `${clean.length} tasks closed, with nothing to look at`;
  return [
    ...(isFolded ? [spanned('good', [span('good', '✓ '), folded], 1)] : []),
    ...shown.flatMap((task) => [
      taskLine(task, wide, titles),
      ...toLines(troublesOf(task)).map((trouble) => ({ ...trouble, indent: 3 })),
    ]),
    ...whyLines(shown),
  ];
}

/** Once for all tasks of which it is true. */
function whyLines(tasks: readonly WorkReport[]): readonly Line[] {
  const alike = Map.groupBy(tasks, ({ word, why }) => (why === '' ? '' : `${word}: ${why}`));
  return [...alike].flatMap(([text, of]) =>
    text === '' ? [] : [line('dim', `${formatTasks(of.map(({ id }) => id))} ${text}`, 2)],
  );
}

function taskLine(task: WorkReport, wide: number, titles: number): Line {
  const { id, title, closed, isUntouched, mark, word, spent } = task;
  const name = cutToWidth(title, titles);
  const tone = isUntouched ? 'dim' : task.tone;
  const parts: (string | Span)[] = [
    span(tone, `${mark} `),
    `${id.padEnd(wide)}  ${name}${' '.repeat(titles - widthOf(name))}  `,
    span(tone, isUntouched ? 'not begun' : word),
  ];
  if (closed)
    parts.push(span('dim', `  +${closed.insertions} −${closed.deletions}  ${shortOid(closed.oid)}`));
  if (spent.sessions > 0 && spent.costUsd !== undefined) parts.push(span('dim', `  ${formatCost(spent)}`));
  return spanned(task.tone, parts, 1);
}

/** Manual steps, open boxes, and what the long receipt warns of besides its tasks. */
export function blocksForYou({ sections }: RunReport): readonly Block[] {
  return sections.flatMap(({ blocks, isForYou }) => (isForYou ? blocks : blocks.filter(isTrouble)));
}

function forYou(report: RunReport): readonly Line[] {
  const lines = toLines(blocksForYou(report)).map(({ text, tone, commands = [] }) => {
    const sign = tone === 'bad' ? span('bad', '✗ ') : span('warn', '☐ ');
    return { ...spanned(tone, [sign, text], 1), commands };
  });
  return atMost<Line>(lines, mostForYou, (rest) => line('dim', `and ${rest} more`, 1));
}
