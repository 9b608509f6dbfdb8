// The receipt at the end of a run on a terminal; `pawl report` and `report.md` have all of it.
import { spentBy } from '../../journal/ledger.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { countFindings, judgeFindings } from '../findings/findings.ts';
import { type Block, toLines } from '../text/block.ts';
import { formatCost, formatCount, shortOid } from '../text/figure.ts';
import { emptyLine, type Line, line, type Span, span, spanned } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import { leadBlocks } from './receipt.ts';
import { nextBlocks } from './receipt-next.ts';
import { reviewBlocks } from './receipt-review.ts';
import { runBlocks, wasClosedBefore } from './receipt-run.ts';
import { markOf, type ReceiptOptions, standingOf, taskBlocks, toneOf } from './receipt-task.ts';

/** Of more, those that closed as they should share a line. */
const mostTasks = 10;
const mostForYou = 12;
const mostTitle = 48;

/** At most twenty for a green run with up to ten tasks. */
export function shortReceipt(state: RunState, options: ReceiptOptions = {}): readonly Line[] {
  const tasks = [...state.tasks.values()];
  const cost = spentBy(state);
  const price =
    cost.sessions === 0
      ? []
      : [line('dim', `${formatCost(cost)} in ${formatCount(cost.sessions, 'session')}`)];
  return [
    ...toLines(leadBlocks(state, tasks, options)),
    ...price,
    ...reviewLine(state),
    ...section(undefined, tasksLines(state, tasks, options)),
    ...section('For you', forYou(state, tasks, options)),
    ...toLines(nextBlocks(state, tasks, options)),
    ...(state.started.planning ? [] : [emptyLine, line('dim', 'All of it: pawl report')]),
  ];
}

function reviewLine(state: RunState): readonly Line[] {
  const { stages, findings } = judgeFindings(state);
  if (stages.length === 0) return [];
  return [line('plain', `Review: ${findings.length === 0 ? 'nothing found' : countFindings(findings)}`)];
}

function section(title: string | undefined, lines: readonly Line[]): readonly Line[] {
  if (lines.length === 0) return [];
  return [emptyLine, ...(title === undefined ? [] : [line('head', title)]), ...lines];
}

function tasksLines(state: RunState, tasks: readonly TaskState[], options: ReceiptOptions): readonly Line[] {
  const isClean = (task: TaskState) =>
    toneOf(task) === 'good' && troublesOf(state, task, options).length === 0;
  const clean = tasks.filter(isClean);
  const isFolded = tasks.length > mostTasks && clean.length > 1;
  const shown = isFolded ? tasks.filter((task) => !clean.includes(task)) : tasks;
  const wide = Math.max(...shown.map(({ id }) => widthOf(id)), 0);
  const titles = Math.min(mostTitle, Math.max(...shown.map(({ title }) => widthOf(title)), 0));
  return [
    ...(isFolded
      ? [spanned('good', [span('good', '✓ '), `${clean.length} tasks closed, with nothing to look at`], 1)]
      : []),
    ...shown.flatMap((task) => [
      taskLine(task, { wide, titles, cost: costOf(state, task), isBefore: wasClosedBefore(state, task) }),
      ...troublesOf(state, task, options).map((trouble) => ({ ...trouble, indent: 3 })),
    ]),
  ];
}

type Columns = Readonly<{ wide: number; titles: number; cost: string; isBefore: boolean }>;

function taskLine(task: TaskState, { wide, titles, cost, isBefore }: Columns): Line {
  const { id, title, closed, standing, start } = task;
  const name = cutToWidth(title, titles);
  const isNew = standing === 'open' && start === undefined;
  const state = isBefore ? 'closed before the run' : isNew ? 'not begun' : standingOf(task);
  const parts: (string | Span)[] = [
    span(isNew ? 'dim' : toneOf(task), `${markOf(task)} `),
    `${id.padEnd(wide)}  ${name}${' '.repeat(titles - widthOf(name))}  `,
    span(isNew ? 'dim' : toneOf(task), state),
  ];
  if (closed)
    parts.push(span('dim', `  +${closed.insertions} −${closed.deletions}  ${shortOid(closed.oid)}`));
  if (cost !== '') parts.push(span('dim', `  ${cost}`));
  return spanned(toneOf(task), parts, 1);
}

function costOf(state: RunState, { id }: TaskState): string {
  const cost = spentBy(state, ({ started }) => started.task === id);
  return cost.sessions === 0 || cost.costUsd === undefined ? '' : formatCost(cost);
}

function troublesOf(state: RunState, task: TaskState, options: ReceiptOptions): readonly Line[] {
  if (task.standing === 'open' && task.start === undefined) return [];
  return toLines(taskBlocks(state, task, options).filter(isTrouble));
}

function isTrouble({ kind, tone }: Block): boolean {
  return kind === 'item' && (tone === 'bad' || tone === 'warn');
}

/** Manual steps, open boxes, and what the long receipt warns of besides its tasks. */
export function blocksForYou(
  state: RunState,
  tasks: readonly TaskState[],
  options: ReceiptOptions = {},
): readonly Block[] {
  return [...bySection(runBlocks(state, tasks, options)), ...bySection(reviewBlocks(state))]
    .filter(({ title, block }) => isTrouble(block) || sectionsForYou.test(title))
    .map(({ block }) => block);
}

function forYou(state: RunState, tasks: readonly TaskState[], options: ReceiptOptions): readonly Line[] {
  const lines = toLines(blocksForYou(state, tasks, options)).map(({ text, tone, ...rest }) => ({
    ...spanned(tone, [span(tone === 'bad' ? 'bad' : 'warn', tone === 'bad' ? '✗ ' : '☐ '), text], 1),
    ...(rest.commands === undefined ? {} : { commands: rest.commands }),
  }));
  const left = lines.length - mostForYou;
  if (left <= 0) return lines;
  return [...lines.slice(0, mostForYou), line('dim', `and ${left} more`, 1)];
}

const sectionsForYou = /^(?:Left for you|Open boxes)/;

function bySection(blocks: readonly Block[]): readonly Readonly<{ title: string; block: Block }>[] {
  let title = '';
  return blocks.flatMap((block) => {
    if (block.kind === 'section')
      title = block.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.code)).join('');
    return block.kind === 'item' ? [{ title, block }] : [];
  });
}
