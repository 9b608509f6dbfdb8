// The receipt's part about the run as a whole: tasks left, manual steps, checks outside tasks, warnings, interventions, cost
// and time.
import type { RunState, TaskState } from '../../journal/state.ts';
import { formatEquivalent } from '../events/format-budget.ts';
import { formatResult } from '../events/format-check.ts';
import {
  formatEditsLeft,
  formatFresh,
  formatRefused,
  formatRefusedAnswer,
  formatRefusedHost,
  formatViolation,
} from '../events/format-guard.ts';
import { formatCause, formatReplanEnd } from '../events/format-replan.ts';
import { formatOutcome } from '../events/format-session.ts';
import { type Block, block, code } from '../text/block.ts';
import {
  formatCommand,
  formatCost,
  formatCount,
  formatList,
  formatMs,
  formatSpentTokens,
} from '../text/figure.ts';
import { carryBlocks } from './receipt-carry.ts';
import { laneBlocks } from './receipt-lanes.ts';
import type { ReceiptExtra } from './receipt-task.ts';
import { saidBy } from './receipt-task.ts';

/** The blocks after the tasks. */
export function runBlocks(
  state: RunState,
  tasks: readonly TaskState[],
  extra: ReceiptExtra,
): readonly Block[] {
  return [
    ...section(
      'Not done',
      tasks.filter((task) => isUntouched(state, task)).map((task) => item(`Task ${task.id}: ${task.title}`)),
    ),
    ...section('Left for you: manual steps', manualBlocks(state)),
    ...section('Optional steps, not waited for', optionalBlocks(state)),
    ...section(
      'Open boxes that are not part of any task',
      (state.plan?.outside ?? []).map(({ text }) => item(text)),
    ),
    ...section('Checks at the end', state.atEnd.map(checkBlock)),
    ...section('In a fresh checkout', freshBlocks(state)),
    ...section('Red before the first task', redBaseline(state)),
    ...section('Re-planning', replanBlocks(state)),
    ...section('Side by side', laneBlocks(state)),
    ...section('Look at this', noticeBlocks(state)),
    ...section('Carried', carryBlocks(state)),
    ...section(
      'Interventions',
      countTexts(
        state.interventions.map(({ text, by }) => (by === undefined ? text : `${text} (by ${by})`)),
      ).map(item),
    ),
    block('section', 'head', 'Cost and time'),
    costBlock(state, extra),
    ...agentBlocks(state, extra),
    timeBlock(state, tasks),
    ...cutBlocks(state),
  ];
}

/** Open, never begun, and not closed before the run. */
function isUntouched({ plan }: RunState, task: TaskState): boolean {
  const closedBefore = plan?.tasks.find(({ id }) => id === task.id)?.closed ?? false;
  return task.standing === 'open' && task.start === undefined && !closedBefore;
}

function manualBlocks({ plan }: RunState): readonly Block[] {
  return (plan?.tasks ?? []).flatMap((task) => task.manual.map((step) => item(`${step} (task ${task.id})`)));
}

function optionalBlocks({ plan }: RunState): readonly Block[] {
  return (plan?.tasks ?? []).flatMap(({ id, optional = [] }) =>
    optional.map((step) => item(`${step} (task ${id})`)),
  );
}

function checkBlock(check: RunState['atEnd'][number]): Block {
  const isRed = check.result !== 'green';
  const note = isRed && check.knownRed ? '; known red, excused' : '';
  return block(
    'item',
    isRed && !check.knownRed ? 'bad' : 'plain',
    code(formatCommand(check.command)),
    `: ${formatResult(check)}${note}`,
    ...saidBy(check),
  );
}

function freshBlocks({ freshVerified: fresh }: RunState): readonly Block[] {
  return fresh ? [block('item', fresh.result === 'red' ? 'bad' : 'plain', formatFresh(fresh))] : [];
}

function redBaseline({ baseline }: RunState): readonly Block[] {
  return baseline.filter((check) => check.result !== 'green').map(checkBlock);
}

function noticeBlocks(state: RunState): readonly Block[] {
  return [
    ...(state.narrowed === undefined
      ? []
      : [
          warn(
            `Files that were trusted changed during the run (${formatList(state.narrowed.files)}): later sessions ignored the repository's agent configuration`,
          ),
        ]),
    ...state.setAside.map((edit) => setAsideBlock(state, edit)),
    ...state.notes
      .filter(({ session }) => session === undefined)
      .map(({ note, text }) =>
        warn(`Note ${note} was given to no session${state.ended?.finished ? '' : ' yet'}: ${text}`),
      ),
    ...state.violations.map((act) => warn(formatViolation(act))),
    ...state.refusedAnswers.map((answer) => warn(formatRefusedAnswer(answer))),
    ...state.editsLeft.map((edits) => warn(formatEditsLeft(edits))),
    ...state.refused.map((file) => warn(formatRefused(file))),
    ...state.refusedHosts.map((host) => warn(formatRefusedHost(host))),
    ...state.flakiness.flaky.map((command) =>
      block(
        'item',
        'warn',
        'Flaky: ',
        code(formatCommand(command)),
        ' was red, then green on the very same files',
      ),
    ),
    ...distinct(state.notices.map(({ text }) => text)).map(warn),
  ];
}

/** A plan that has been archived is not edited any more. */
function setAsideBlock({ started, archived }: RunState, edit: RunState['setAside'][number]): Block {
  const { number, detail, file } = edit;
  const what = `Plan edit set aside: ${detail}; `;
  return archived
    ? block('item', 'warn', `${what}it is kept in the run folder as `, code(file))
    : block('item', 'warn', `${what}accept it with `, code(`pawl edit ${started.plan} --take ${number}`));
}

/** Each planner that was asked, and what came of it. */
function replanBlocks({ replans }: RunState): readonly Block[] {
  return replans.flatMap(({ started, taking, ended }) => {
    if (!ended) return [];
    const text = `Re-plan ${started.replan}, ${formatCause(started)}: ${formatReplanEnd(ended)}`;
    return [ended.result === 'taken' && taking?.weakened.length ? warn(text) : item(text)];
  });
}

function costBlock(state: RunState, extra: ReceiptExtra): Block {
  const spent = extra.spent();
  const equivalent = formatEquivalent(state);
  const label = equivalent === '' ? '' : ` (${equivalent})`;
  const cost =
    spent.sessions === 0
      ? 'no session was started'
      : `${formatCost(spent).replace('cost unknown', 'unknown')}${label} in ${formatCount(spent.sessions, 'session')}`;
  return item(`Cost: ${cost}`);
}

/** What each agent cost, where there were several. */
function agentBlocks({ sessions }: RunState, extra: ReceiptExtra): readonly Block[] {
  const agents = [...new Set([...sessions.values()].map(({ started }) => started.agent))];
  if (agents.length < 2) return [];
  return agents.map((agent) => {
    const spent = extra.spent(({ started }) => started.agent === agent);
    const tokens = spent.tokens ? `, ${formatSpentTokens(spent, ({ output }) => output)} output tokens` : '';
    return item(`${agent}: ${formatCost(spent)}${tokens} in ${formatCount(spent.sessions, 'session')}`);
  });
}

/** How sessions ended that did not come to their own end; nothing when all did. */
function cutBlocks({ sessions }: RunState): readonly Block[] {
  const ends = [...sessions.values()].flatMap(({ ended }) => ended ?? []);
  const words = cutOff.flatMap((outcome) =>
    ends.filter((end) => end.outcome === outcome).map((end) => formatOutcome(end)),
  );
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, { length }]) =>
    length === 1 ? `1 ${word}` : `${length} ${word.replace(/^was /, 'were ')}`,
  );
  return counts.length === 0 ? [] : [item(`Sessions cut off: ${counts.join(', ')}`)];
}

const cutOff = [
  'limited',
  'overloaded',
  'crashed',
  'timed-out',
  'stuck',
  'interrupted',
  'over-budget',
  'refused',
] as const;

/** A session is open while its checks run, and so longer than the work that `pawl stats` tells apart from them. */
function timeBlock(state: RunState, tasks: readonly TaskState[]): Block {
  const sessionMs = [...state.sessions.values()].reduce(
    (sum, session) => sum + (session.ended?.durationMs ?? 0),
    0,
  );
  const ownChecks = [...state.baseline, ...state.atEnd].reduce((sum, check) => sum + check.durationMs, 0);
  const checkMs = tasks.reduce((sum, task) => sum + task.checkMs, ownChecks);
  const wholeMs =
    Date.parse(state.ended?.at ?? state.lastAt) - Date.parse(state.started.at) - state.stoppedMs;
  const starts = state.resumes === 0 ? '' : ` over ${state.resumes + 1} starts`;
  const parts = [
    `sessions open for ${formatMs(sessionMs)}`,
    ...(checkMs === 0 ? [] : [`${formatMs(checkMs)} in checks`]),
    ...(state.waitedMs === 0 ? [] : [`${formatMs(state.waitedMs)} in waits`]),
    ...(state.pausedMs === 0 ? [] : [`${formatMs(state.pausedMs)} paused`]),
  ];
  return item(`Time: ${formatMs(wholeMs)}${starts}; ${parts.join(', ')}`);
}

function section(title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? [] : [block('section', 'head', title), ...blocks];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Each text once, with how often it occurs. */
function countTexts(texts: readonly string[]): readonly string[] {
  return distinct(texts).map((text) => {
    const times = texts.filter((other) => other === text).length;
    return times === 1 ? text : `${text} (${times} times)`;
  });
}

function item(text: string): Block {
  return block('item', 'plain', text);
}

function warn(text: string): Block {
  return block('item', 'warn', text);
}
