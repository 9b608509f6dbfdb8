// What there is to say of one task, or of work beside the plan, and of its checks.
import type { FactOf } from '../../event.ts';
import { readLedger } from '../../journal/ledger.ts';
import { findWorkState, type RunState } from '../../journal/state.ts';
import {
  isAway,
  isStillRed,
  judgedOf,
  proofWordOf,
  resultBefore,
  type TaskStanding,
  type TaskState,
} from '../../journal/task-state.ts';
import { shellWord } from '../../shell-word.ts';
import { shorten } from '../../shorten.ts';
import { describeCheck } from '../events/format-check.ts';
import { retell } from '../events/format-event.ts';
import { formatChange } from '../events/format-task.ts';
import { formatExperiments } from '../events/format-work.ts';
import { type Block, block, code, type Piece, plain, warn } from '../text/block.ts';
import { atMost, formatCost, formatCount, formatList, formatMs, shortOid } from '../text/figure.ts';
import type { WorkView } from './run-view.ts';
import { viewWorks } from './works.ts';

export type WorkReport = NonNullable<ReturnType<typeof reportWork>>;

/** A heading and its items. `isForYou`: all of it is left to a person, not only what warns. */
export type ReportSection = Readonly<{ title: string; blocks: readonly Block[]; isForYou?: true }>;

/** `live`: a pawl works on the run. `until`: what goes on lasts until then, ISO 8601. */
export type ReportOptions = Readonly<{ live?: boolean; until?: string }>;

const mostSummary = 600;
const mostLooks = 12;

/** Undefined if the run has no such work. */
export function reportWork(state: RunState, id: string, options: ReportOptions = {}) {
  const task = findWorkState(state, id);
  const view = viewWorks(state, options.until).get(id);
  if (!task || !view) return undefined;
  return {
    ...view,
    /** Why it is no better; empty if the word says all. */
    why: view.standing === 'passed' ? whyPassed(task) : '',
    /** Neither begun nor decided about. */
    isUntouched: view.standing === 'open' && task.start === undefined,
    outcome: [...outcomeOf(state, task, options), ...notHeld(state, task)],
    checks: checksOf(state, task),
    effort: effortOf(state, task, view),
    look: [
      ...lookAt(task),
      ...task.answers.map(({ question, answer }) => plain(`Asked: ${question} — answered: ${answer}`)),
    ],
  };
}

function whyPassed(task: TaskState): string {
  const wasGreen = task.checks.some(({ when, result }) => when === 'before' && result === 'green');
  const own = wasGreen ? 'its own checks were green before' : 'no check of its own';
  return judgedOf(task)?.reasons.join('; ') ?? `nothing broken, ${own}`;
}

function outcomeOf(state: RunState, task: TaskState, { live }: ReportOptions): readonly Block[] {
  const { standing } = task;
  switch (standing.is) {
    case 'closed':
      return closedBlocks(standing);
    case 'closed-by-hand':
      return [warn('It was ticked by hand; pawl ran no check for it')];
    case 'failed':
      return [block('item', 'bad', `Failed: ${standing.reason}`), ...whereWorkIs(state, task)];
    case 'parked':
      return [warn(`It asks: ${standing.question}`)];
    case 'skipped':
      return [...keptBlocks(awayAt(task)), plain('Work on it again with ', code(`pawl retry ${task.id}`))];
    case 'open':
      return [
        ...(task.lastRound ? [warn(`Last round: ${task.lastRound.reason}`)] : []),
        ...(live ? [] : whereWorkIs(state, task)),
      ];
  }
}

function closedBlocks(standing: Extract<TaskStanding, { is: 'closed' }>): readonly Block[] {
  const { fact: closed, judged } = standing;
  const { outside, unnamed, oid } = closed;
  const summary = shorten(closed.summary.trim(), mostSummary);
  const isUnchecked = proofWordOf({ standing }) === 'unchecked';
  return [
    plain(`${formatChange(closed)}, commit `, code(shortOid(oid))),
    ...(outside ? [plain('Not named in its ', code('files:'), `, and changed: ${formatList(outside)}`)] : []),
    ...(unnamed ? [warn(`${formatList(unnamed)} changed, but no tool call named it`)] : []),
    ...(isUnchecked ? [warn(`Why unchecked: ${judged?.reasons.join('; ') ?? closed.reason}`)] : []),
    ...(judged?.experiments
      ? formatExperiments(judged.experiments).map((text) => block('item', 'dim', text))
      : []),
    ...(summary === '' ? [] : [plain(`In the agent’s words: ${summary}`)]),
  ];
}

/** In a rescue commit if others continued without it; else where it was done. */
function whereWorkIs(state: RunState, task: TaskState): readonly Block[] {
  const { start, lastRound } = task;
  const rescue = isAway(task) ? awayAt(task) : state.workAside;
  const own = start?.lane === undefined ? state.course.ended : undefined;
  const isNothing = start === undefined || (lastRound ?? own)?.tree === start.tree;
  if (rescue !== undefined || isNothing) return keptBlocks(rescue);
  const lane = state.lanes.get(start?.lane ?? 0);
  const folder = lane?.folder ?? state.worktree?.path;
  const where = lane ? 'its lane' : folder === undefined ? 'the working tree' : 'the run’s own working tree';
  const at = folder === undefined ? '' : ` -C ${shellWord(folder)}`;
  return [plain(`Its work is in ${where}, uncommitted: `, code(`git${at} status`))];
}

function keptBlocks(rescue: string | undefined): readonly Block[] {
  return rescue === undefined
    ? []
    : [plain('Its work is kept: ', code(`pawl rescue show ${shortOid(rescue)}`))];
}

function awayAt({ work }: TaskState): string | undefined {
  return work.is === 'here' ? undefined : work.rescue;
}

function notHeld({ rescues }: RunState, task: TaskState): readonly Block[] {
  const oid = awayAt(task);
  const missing = rescues.findLast((one) => one.oid === oid)?.notHeld ?? [];
  return bound(missing.map(({ file, why }) => warn(`Not kept: ${file} (${why})`)));
}

type Seen = Pick<TaskState, 'violations' | 'refused'> & Partial<Pick<TaskState, 'tamper'>>;

export function lookAt({ violations, refused, tamper = [] }: Seen): readonly Block[] {
  return bound(retell(...violations, ...refused, ...tamper));
}

function bound(blocks: readonly Block[]): readonly Block[] {
  const all = [...new Map(blocks.map((each) => [JSON.stringify(each), each])).values()];
  return atMost(all, mostLooks, (rest) => warn(`and ${rest} more, see `, code('pawl logs')));
}

function effortOf(
  state: RunState,
  { uncounted }: TaskState,
  { attempts, corrections, spent, agents, ms: { working, checking } }: WorkView,
): string {
  const isMixed = readLedger(state).byAgent.size > 1;
  return [
    isMixed && agents.length > 0 && `by ${agents.join(', then ')}`,
    formatCount(attempts, 'attempt'),
    uncounted > 0 && `${uncounted} more that did not count`,
    corrections > 0 && formatCount(corrections, 'correction'),
    spent.sessions > 0 && formatCost(spent),
    working > 0 && `${formatMs(working)} in sessions`,
    checking > 0 && `${formatMs(checking)} in checks`,
  ]
    .filter(Boolean)
    .join(', ');
}

type CheckEnd = FactOf<'check-ended'>;

/** Those on the commit replace those after the last turn. */
function decidingChecks({ checks }: TaskState): readonly CheckEnd[] {
  const all = ['after', 'verify'].flatMap((when) => checks.filter((check) => check.when === when));
  return [...new Map(all.map((check) => [check.check, check])).values()];
}

/** Of a run that has ended: which checks turned green by its work, and which only stayed so; each once for all tasks. */
export function proofBlocks({ tasks, course: { ended } }: RunState): readonly Block[] {
  if (!ended) return [];
  const closed = [...tasks.values()].filter(({ standing }) => standing.is === 'closed');
  const green = closed.flatMap((task) =>
    decidingChecks(task)
      .filter(({ result }) => result === 'green')
      .map((one) => ({ check: one.check, before: resultBefore(task, one) })),
  );
  const all = new Set(green.map(({ check }) => check));
  const turned = new Set(green.filter(({ before }) => before === 'red').map(({ check }) => check)).size;
  const stayed = all.size - turned;
  return [
    ...(turned > 0 ? [block('item', 'good', `${formatCount(turned, 'check')} red before, green now`)] : []),
    ...(stayed > 0 ? [plain(`${formatCount(stayed, 'check')} stayed green`)] : []),
  ];
}

function checksOf(state: RunState, task: TaskState): readonly Block[] {
  const ran = decidingChecks(task);
  const green = ran.filter(({ result }) => result === 'green');
  const before = green.filter((check) => resultBefore(task, check) === 'green').length;
  const were = before === 1 ? 'was' : 'were';
  const note =
    before === 0 ? '' : `; ${before} ${were} green before the work too, which proves nothing about it`;
  return [
    ...(green.length === 0 ? [] : [plain(`${formatCount(green.length, 'check')} green${note}`)]),
    ...ran.filter((check) => isStillRed(check, state.plan)).map((check) => checkBlock(check)),
  ];
}

export function checkBlock(check: CheckEnd, ...advice: readonly Piece[]): Block {
  const { result, says, knownRed } = check;
  const { name, details } = describeCheck(check);
  const isTelling = result !== 'green' && result !== 'interrupted' && says !== undefined;
  const words = isTelling ? `; it says: ${says}` : '';
  const tone = result !== 'green' && !knownRed ? 'bad' : 'plain';
  return block('item', tone, code(name), `: ${details}${words}`, ...advice);
}
