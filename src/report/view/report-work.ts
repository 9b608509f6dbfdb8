// What there is to say of one task, or of work beside the plan.
import { sayTamper } from '../../event/guard.ts';
import { isAway, type RunState, type SessionState, type TaskState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { shellWord } from '../../shell-word.ts';
import { shorten } from '../../shorten.ts';
import { formatRefused, formatViolation } from '../events/format-guard.ts';
import { formatChange } from '../events/format-task.ts';
import { formatExperiments } from '../events/format-work.ts';
import { type Block, block, code, codeList, plain, warn } from '../text/block.ts';
import { formatCost, formatCount, formatList, formatMs, shortOid } from '../text/figure.ts';
import { checksOf, redOf } from './report-checks.ts';
import type { WorkView } from './run-view.ts';
import { indexWorks, viewWork, type WorkIndex } from './works.ts';

export type WorkReport = WorkView &
  Readonly<{
    mark: string;
    tone: 'good' | 'warn' | 'bad';
    word: string;
    /** Why it is no better; empty if the word says all. */
    why: string;
    /** Neither begun nor decided about. */
    isUntouched: boolean;
    outcome: readonly Block[];
    checks: readonly Block[];
    effort: string;
    look: readonly Block[];
  }>;

/** A heading and its items. `isForYou`: all of it is left to a person, not only what warns. */
export type ReportSection = Readonly<{ title: string; blocks: readonly Block[]; isForYou?: true }>;

/** `live`: a pawl works on the run. `until`: what goes on lasts until then, ISO 8601. */
export type ReportOptions = Readonly<{ live?: boolean; until?: string; index?: WorkIndex }>;

const mostSummary = 600;
const mostLooks = 12;

export function reportWork(state: RunState, task: TaskState, options: ReportOptions): WorkReport {
  const { index = indexWorks(state, options.until) } = options;
  const view = viewWork(state, task, index);
  return {
    ...view,
    ...looks[view.standing],
    word: words[view.standing],
    why: view.standing === 'passed' ? whyPassed(task) : '',
    isUntouched: view.standing === 'open' && task.start === undefined,
    outcome: [...outcomeOf(state, task, options), ...notHeld(state, task)],
    checks: checksOf(state, task),
    effort: effortOf(task, view, index),
    look: [
      ...lookAt(task),
      ...task.answers.map(({ question, answer }) => plain(`Asked: ${question} — answered: ${answer}`)),
    ],
  };
}

const looks = {
  proven: { mark: '✓', tone: 'good' },
  passed: { mark: '✓', tone: 'good' },
  pending: { mark: '✓', tone: 'good' },
  unchecked: { mark: '!', tone: 'warn' },
  'by-hand': { mark: '!', tone: 'warn' },
  before: { mark: '–', tone: 'warn' },
  failed: { mark: '✗', tone: 'bad' },
  parked: { mark: '?', tone: 'warn' },
  skipped: { mark: '–', tone: 'warn' },
  working: { mark: '–', tone: 'warn' },
  open: { mark: '–', tone: 'warn' },
} as const;

function whyPassed({ judged, start }: TaskState): string {
  const own = (start?.vacuous.length ?? 0) > 0 ? 'its own checks were green before' : 'no check of its own';
  return judged?.reasons.join('; ') ?? `nothing broken, ${own}`;
}

const words = {
  proven: 'proven',
  passed: 'passed',
  pending: 'closed, its proof follows',
  unchecked: 'UNCHECKED',
  'by-hand': 'closed by hand',
  before: 'closed before the run',
  failed: 'failed',
  parked: 'waits for your answer',
  skipped: 'skipped, as asked',
  working: 'not finished',
  open: 'not finished',
} as const;

function outcomeOf(state: RunState, task: TaskState, { live }: ReportOptions): readonly Block[] {
  switch (task.standing) {
    case 'closed':
      return closedBlocks(task);
    case 'closed-by-hand':
      return [warn('It was ticked by hand; pawl ran no check for it')];
    case 'failed':
      return [...whyBlocks(state, task, task.failed?.reason, 'Failed'), ...whereWorkIs(state, task)];
    case 'parked':
      return [warn(`It asks: ${task.question ?? ''}`)];
    case 'skipped':
      return [
        ...keptBlocks(task.skipped?.rescue),
        plain('Work on it again with ', code(`pawl retry ${task.id}`)),
      ];
    case 'open':
      return [
        ...whyBlocks(state, task, task.lastRound?.reason, 'Last round'),
        ...(live ? [] : whereWorkIs(state, task)),
      ];
  }
}

/** Not what its red checks or the run's end say. */
function whyBlocks(
  state: RunState,
  task: TaskState,
  reason: string | undefined,
  label: string,
): readonly Block[] {
  const red = redOf(state, task).filter(({ knownRed }) => !knownRed);
  const isTold =
    reason === `red: ${red.map(({ command }) => command).join('; ')}` ||
    state.ended?.reasons.some(({ text }) => reason !== undefined && text.startsWith(reason));
  if (reason === undefined || isTold) return [];
  return [block('item', task.standing === 'failed' ? 'bad' : 'warn', `${label}: ${reason}`)];
}

function closedBlocks(task: TaskState): readonly Block[] {
  const { closed, judged } = task;
  if (closed === undefined) return [];
  const { outside, unnamed, oid } = closed;
  const summary = shorten(closed.summary.trim(), mostSummary);
  const isUnchecked = proofWordOf(task) === 'unchecked';
  return [
    plain(`${formatChange(closed)}, commit `, code(shortOid(oid))),
    ...(outside ? [plain('Not named in its ', code('files:'), ', and changed: ', ...codeList(outside))] : []),
    ...(unnamed ? [warn(`${formatList(unnamed)} changed, but no tool call named it`)] : []),
    ...(isUnchecked ? [warn(`Why unchecked: ${judged?.reasons.join('; ') ?? closed.reason}`)] : []),
    ...(judged?.experiments
      ? formatExperiments(judged.experiments).map((text) => block('item', 'dim', text))
      : []),
    ...(summary === '' ? [] : [plain(`In the agent’s words: ${summary}`)]),
  ];
}

/** In a rescue commit if others continued without it; else where it was done. */
function whereWorkIs(state: RunState, { failed, work, start, lastRound }: TaskState): readonly Block[] {
  const saved = work.is === 'saved' ? work.rescue : undefined;
  const rescue = failed?.rescue ?? (isAway({ work }) ? saved : state.workAside);
  const own = start?.lane === undefined ? state.ended : undefined;
  const isNothing = start === undefined || (lastRound ?? own)?.tree === start.tree;
  if (rescue !== undefined || isNothing) return keptBlocks(rescue);
  const lane = state.lanes.get(start?.lane ?? 0);
  const folder = lane?.folder ?? state.worktree?.path;
  const where = lane ? 'its lane' : folder === undefined ? 'the working tree' : 'the run’s own working tree';
  const at = folder === undefined ? '' : ` -C ${shellWord(folder)}`;
  return [plain(`Its work is in ${where}, uncommitted: `, code(`git${at} status`))];
}

export function keptBlocks(rescue: string | undefined): readonly Block[] {
  return rescue === undefined
    ? []
    : [plain('Its work is kept: ', code(`pawl rescue show ${shortOid(rescue)}`))];
}

function notHeld({ rescues }: RunState, { failed, work }: TaskState): readonly Block[] {
  const oid = failed?.rescue ?? (work.is === 'saved' || work.is === 'returning' ? work.rescue : undefined);
  const missing = rescues.findLast((one) => one.oid === oid)?.notHeld ?? [];
  return bound(missing.map(({ file, why }) => warn(`Not kept: ${file} (${why})`)));
}

export function lookAt({
  violations,
  refused,
  tamper,
}: Pick<TaskState, 'violations' | 'refused'> & Partial<Pick<TaskState, 'tamper'>>): readonly Block[] {
  return bound([
    ...violations.map((act) => warn(formatViolation(act))),
    ...refused.map((file) => warn(formatRefused(file))),
    ...(tamper ?? []).map((note) => warn(`Look at this: ${sayTamper(note)}`)),
  ]);
}

function bound(blocks: readonly Block[]): readonly Block[] {
  const all = [...new Map(blocks.map((each) => [JSON.stringify(each), each])).values()];
  const rest = all.length - mostLooks;
  return rest <= 0 ? all : [...all.slice(0, mostLooks), warn(`and ${rest} more, see `, code('pawl logs'))];
}

function effortOf(
  { id, attemptsEver, uncounted, corrections }: TaskState,
  { spent }: WorkView,
  { sessions, times }: WorkIndex,
): string {
  const agentsOf = (some: readonly SessionState[]) => new Set(some.map(({ started }) => started.agent));
  const agents = agentsOf(sessions.get(id) ?? []);
  const isMixed = agentsOf([...sessions.values()].flat()).size > 1;
  const { working = 0, checking = 0 } = times.get(id) ?? {};
  const parts: readonly (readonly [boolean, string])[] = [
    [isMixed && agents.size > 0, `by ${[...agents].join(', then ')}`],
    [true, formatCount(attemptsEver - uncounted, 'attempt')],
    [uncounted > 0, `${uncounted} more that did not count`],
    [corrections > 0, formatCount(corrections, 'correction')],
    [spent.sessions > 0, formatCost(spent)],
    [working > 0, `${formatMs(working)} in sessions`],
    [checking > 0, `${formatMs(checking)} in checks`],
  ];
  return parts.flatMap(([isSo, text]) => (isSo ? [text] : [])).join(', ');
}
