// Formats where a run stands, for `pawl status`.

import { formatStage, placeOf, toneOfStage } from '../findings/format-findings.ts';
import { formatCaps } from '../text/amount.ts';
import { formatCost, formatCount, formatMoment, formatMs } from '../text/figure.ts';
import { type Line, labelled, line, type Tone } from '../text/line.ts';
import { alignRows } from '../text/width.ts';
import type { RunView, WorkInProgress } from '../view/run-view.ts';

export function formatStanding(standing: RunView, nowMs: number): readonly Line[] {
  const { task, inWork, holder } = standing;
  const equivalent = standing.apiEquivalent === undefined ? '' : ` (${standing.apiEquivalent})`;
  return [
    line('head', standing.dialogue ? `Planning: ${standing.title}` : `${standing.title} (${standing.plan})`),
    labelled(toneOf(standing), 'state', formatState(standing, nowMs)),
    ...reasonsOf(standing).map((reason) => labelled('plain', '', reason)),
    ...(inWork.length > 1 ? inWork : [task ?? []].flat()).map((each, at) =>
      labelled('plain', at === 0 ? 'task' : '', formatTask(each)),
    ),
    ...(task?.lastRound === undefined || inWork.length > 1 || task.lastRound === standing.exitText
      ? []
      : [labelled('dim', '', `last round: ${task.lastRound}`)]),
    ...(standing.dialogue ? formatDialogue(standing.dialogue) : formatTasks(standing)),
    ...reviewOf(standing),
    ...formatSaid(standing),
    ...formatLimited(standing, nowMs),
    labelled('plain', 'spent', `${formatSpent(standing)}${equivalent}`),
    labelled('plain', 'budget', formatCaps(standing.caps)),
    labelled('plain', 'branch', standing.branch),
    ...(standing.worktree === undefined ? [] : [labelled('plain', 'tree', standing.worktree)]),
    ...formatCarriedTo(standing),
    labelled('plain', 'run', `${standing.run}, begun ${formatAgo(standing.startedAt, nowMs)}`),
    ...(holder === undefined ? [] : [formatHolder(holder, nowMs)]),
    ...formatNext(standing).map((text) => labelled('dim', 'next', text)),
  ];
}

function formatCarriedTo({ carried, endedAt }: RunView): readonly Line[] {
  if (!carried) return [];
  const { remote, failed, takenBy } = carried;
  if (takenBy !== undefined) return [labelled('warn', 'carried', `to ${remote}; ${takenBy} has taken it up`)];
  return [
    failed === undefined
      ? labelled('plain', 'carried', `to ${remote}`)
      : labelled(
          'warn',
          'carried',
          `not all of it${endedAt === undefined ? '' : ' when it ended'}: ${failed}`,
        ),
  ];
}

/** Questions, and notes that wait for a session. */
function formatSaid({ questions, notes }: RunView): readonly Line[] {
  return [
    ...questions.flatMap(({ task, question }) => [
      labelled('warn', 'asks', `task ${task}: ${question}`),
      labelled('dim', '', `pawl answer ${task} "…"`),
    ]),
    ...notes.map(({ note, text, task }) => {
      const whose = task === undefined ? '' : ` of task ${task}`;
      return labelled('plain', `note ${note}`, `for the next session${whose}: ${text}`);
    }),
  ];
}

function formatLimited({ limited }: RunView, nowMs: number): readonly Line[] {
  return limited.flatMap(({ agent, until }) => {
    if (until === undefined) return labelled('plain', 'limit', `${agent}; its reset time is unknown`);
    const at = Date.parse(until);
    return at > nowMs ? labelled('plain', 'limit', `${agent}, until ${formatMoment(at)}`) : [];
  });
}

function formatHolder({ pid, host, since }: NonNullable<RunView['holder']>, nowMs: number): Line {
  return labelled('plain', 'held by', `process ${pid} on ${host}, ${formatAgo(since, nowMs)}`);
}

function formatDialogue(dialogue: NonNullable<RunView['dialogue']>): readonly Line[] {
  const { answered, drafts, asks, written } = dialogue;
  return [
    labelled(
      'plain',
      'plan',
      written ?? `${formatCount(answered, 'question')} answered, ${formatCount(drafts, 'draft')}`,
    ),
    ...(asks === undefined ? [] : [labelled('warn', 'asks', asks)]),
  ];
}

/** Each stage, then what waits for a person. */
function reviewOf({ review, state }: RunView): readonly Line[] {
  if (!review) return [];
  const { stages, unsettled } = review;
  const rest = unsettled.length - mostFindings;
  return [
    ...stages.map((stage, at) => {
      const goesOn = stage.end === undefined && ['working', 'waiting', 'paused'].includes(state);
      const words = goesOn ? `${stage.stage}: in round ${stage.rounds}` : formatStage(stage);
      return labelled(goesOn ? 'plain' : toneOfStage(stage), at === 0 ? 'review' : '', words);
    }),
    ...unsettled.slice(0, mostFindings).map((finding) => {
      const { id, severity, standing, title } = finding;
      const mark = standing === 'disputed' ? `${severity}, disputed` : severity;
      return labelled('warn', 'finding', `${id} ${mark} ${placeOf(finding)} ${title}`);
    }),
    ...(rest > 0 ? [labelled('dim', '', `and ${rest} more: pawl report --findings`)] : []),
  ];
}

const mostFindings = 8;

/** The same command would only find a spent budget spent. */
function formatNext({ exit, hints = [], next }: RunView): readonly string[] {
  const [hint] = hints;
  if (next === undefined) return [];
  return [exit === 5 && hint !== undefined ? hint : next];
}

/** Unless the line with its state has said so. */
function reasonsOf({ reasons = [], exitText }: RunView): readonly string[] {
  return reasons.filter((reason) => reason !== exitText);
}

export function formatStandingShort(standing: RunView, nowMs: number): Line {
  return line(toneOf(standing), cellsOf(standing, nowMs).join('  '));
}

export function formatStandings(standings: readonly RunView[], nowMs: number): readonly Line[] {
  if (standings.length === 0) return [];
  const rows = standings.map((each) => cellsOf(each, nowMs));
  const [head = '', ...body] = alignRows([['run', 'state', 'since', 'closed', 'spent'], ...rows], mostName);
  return [line('head', head), ...body.map((text, at) => line(toneOf(standings[at] as RunView), text))];
}

const mostName = 48;

function cellsOf(view: RunView, nowMs: number): readonly string[] {
  const { run, state, tasks, dialogue, spent, endedAt, lastAt } = view;
  const closed = dialogue ? 'planning' : `${tasks.closed}/${tasks.total}`;
  const cost = spent.sessions === 0 ? '–' : formatCost(spent).replace('at least ', '≥ ');
  return [run, state, formatMs(Math.max(0, nowMs - Date.parse(endedAt ?? lastAt))), closed, cost];
}

function formatTask(task: WorkInProgress): string {
  const session = task.session === undefined ? '' : `, session ${task.session}`;
  const standIn = task.insteadOf === undefined ? '' : `, ${task.agent} instead of ${task.insteadOf}`;
  return `${task.id}: ${task.title} (attempt ${task.attempt}${session}${standIn})`;
}

function formatTasks({ tasks, review }: RunView): readonly Line[] {
  if (tasks.total === 0 && review) return [];
  const parts = [
    [tasks.proven, 'proven'],
    [tasks.passed, 'passed'],
    [tasks.unchecked, 'UNCHECKED'],
    [tasks.byHand, 'closed by hand'],
    [tasks.before, 'closed before the run'],
    [tasks.failed, 'failed'],
    [tasks.parked, 'waiting for an answer'],
    [tasks.skipped, 'skipped'],
    [tasks.open, 'open'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [labelled('plain', 'tasks', `${tasks.total}: ${words.join(', ') || 'none'}`)];
}

function formatSpent({ spent }: RunView): string {
  return spent.sessions === 0
    ? 'nothing'
    : `${formatCost(spent)} in ${formatCount(spent.sessions, 'session')}`;
}

/** `working, last sign 3 s ago`. */
function formatState(standing: RunView, nowMs: number): string {
  switch (standing.state) {
    case 'working':
      if (standing.pausing) return 'pausing after the current session; pawl continue ends the pause';
      return `working, last sign ${formatAgo(standing.lastAt, nowMs)}`;
    case 'waiting':
      if (standing.questions.length > 0) return `waiting for ${standing.waitingFor ?? 'an answer'}`;
      return `waiting until ${formatMoment(Date.parse(standing.waitingUntil ?? ''))}: ${standing.waitingFor ?? ''}`;
    case 'paused':
      return `paused ${formatAgo(standing.lastAt, nowMs)}; pawl continue ends the pause`;
    case 'stopped':
      return `stopped ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}, not finished${standing.exit ? `: ${standing.exitText}` : ''}`;
    case 'died':
      return `was cut off ${formatAgo(standing.lastAt, nowMs)} (killed, or the machine went down); it can be resumed`;
    case 'finished':
      return `finished ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}: ${standing.exitText ?? 'done'}`;
  }
}

function toneOf(standing: RunView): Tone {
  switch (standing.state) {
    case 'working':
      return 'plain';
    case 'waiting':
    case 'paused':
      return 'warn';
    case 'stopped':
    case 'died':
      return 'bad';
    case 'finished':
      return standing.exit === 0 ? 'good' : 'warn';
  }
}

function formatAgo(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  return Number.isFinite(ms) ? `${formatMs(Math.max(0, ms))} ago` : 'at an unknown time';
}
