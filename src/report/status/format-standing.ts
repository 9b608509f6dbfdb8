// Formats where a run stands, for `pawl status`.
import { alignRows } from '../../width.ts';
import { formatStage, placeOf, toneOfStage } from '../findings/findings.ts';
import { formatCaps, formatCost, formatMoment, formatMs, formatSpent } from '../text/figure.ts';
import { type Line, labelled, line, type Tone } from '../text/line.ts';
import { explainWait, formatProofs } from '../text/run-words.ts';
import type { RunView, WorkInProgress } from '../view/run-view.ts';

export function formatStanding(view: RunView, nowMs: number): readonly Line[] {
  const { inWork, holder, title, plan, branch, worktree, exitText, tasks, review, exit, next } = view;
  const { hints: [hint] = [] } = view;
  const limits = view.limited.flatMap((limited) => formatLimited(limited, nowMs));
  const isPlanning = view.what === 'planning';
  const last = inWork.length > 1 ? undefined : inWork[0]?.lastRound;
  const equivalent = view.apiEquivalent === undefined ? '' : ` (${view.apiEquivalent})`;
  return [
    line('head', isPlanning ? `Planning: ${title}` : `${title} (${plan})`),
    ...rows(view.tone, 'state', [formatState(view, nowMs)]),
    // Unless the line with its state has said so.
    ...rows('plain', '', view.reasons?.filter((reason) => reason !== exitText) ?? []),
    ...rows('plain', 'task', inWork.map(formatTask)),
    ...rows('dim', '', last === undefined || last === exitText ? [] : [`last round: ${last}`]),
    ...rows(
      'plain',
      'tasks',
      isPlanning || (tasks.total === 0 && review) ? [] : [formatProofs(tasks).replace(/ tasks? /, ' ')],
    ),
    ...reviewOf(view),
    ...asksOf(view),
    ...view.notes.flatMap(({ note, text, task: of }) =>
      rows('plain', `note ${note}`, [
        `for the next session${of === undefined ? '' : ` of task ${of}`}: ${text}`,
      ]),
    ),
    ...rows('plain', 'limit', limits),
    ...rows('plain', 'spent', [`${formatSpent(view.spent)}${equivalent}`]),
    ...rows('plain', 'budget', [formatCaps(view.caps)]),
    ...rows('plain', 'branch', [branch]),
    ...rows('plain', 'tree', worktree === undefined ? [] : [worktree]),
    ...formatCarriedTo(view),
    ...rows('plain', 'run', [`${view.run}, begun ${formatAgo(view.startedAt, nowMs)}`]),
    ...rows(
      'plain',
      'held by',
      holder ? [`process ${holder.pid} on ${holder.host}, ${formatAgo(holder.since, nowMs)}`] : [],
    ),
    // The same command would only find a spent budget spent.
    ...rows('dim', 'next', next === undefined ? [] : [exit === 5 && hint !== undefined ? hint : next]),
  ];
}

function rows(tone: Tone, label: string, texts: readonly string[]): readonly Line[] {
  return texts.map((text, at) => labelled(tone, at === 0 ? label : '', text));
}

function asksOf({ questions, needs }: RunView): readonly Line[] {
  const planning = needs.filter(({ kind }) => kind === 'planning');
  return [
    ...questions.flatMap(({ task, question }) => [
      ...rows('warn', 'asks', [`task ${task}: ${question}`]),
      ...rows('dim', '', [`pawl answer ${task} "…"`]),
    ]),
    ...planning.map(({ text }) => labelled('warn', 'asks', text)),
  ];
}

function formatCarriedTo({ carried, endedAt }: RunView): readonly Line[] {
  if (!carried) return [];
  const { remote, failed, takenBy } = carried;
  if (takenBy !== undefined) return rows('warn', 'carried', [`to ${remote}; ${takenBy} has taken it up`]);
  if (failed === undefined) return rows('plain', 'carried', [`to ${remote}`]);
  return rows('warn', 'carried', [
    `not all of it${endedAt === undefined ? '' : ' when it ended'}: ${failed}`,
  ]);
}

function formatLimited({ agent, until }: RunView['limited'][number], nowMs: number): readonly string[] {
  if (until === undefined) return [`${agent}; its reset time is unknown`];
  return Date.parse(until) > nowMs ? [`${agent}, until ${formatMoment(Date.parse(until))}`] : [];
}

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
    ...rows('dim', '', rest > 0 ? [`and ${rest} more: pawl report --findings`] : []),
  ];
}

const mostFindings = 8;

export function formatStandingShort(standing: RunView, nowMs: number): Line {
  return line(standing.tone, cellsOf(standing, nowMs).join('  '));
}

export function formatStandings(standings: readonly RunView[], nowMs: number): readonly Line[] {
  if (standings.length === 0) return [];
  const rows = standings.map((each) => cellsOf(each, nowMs));
  const [head = '', ...body] = alignRows([['run', 'state', 'since', 'closed', 'spent'], ...rows], mostName);
  return [line('head', head), ...body.map((text, at) => line(standings[at]?.tone ?? 'plain', text))];
}

const mostName = 48;

function cellsOf(view: RunView, nowMs: number): readonly string[] {
  const { run, state, tasks, spent, endedAt, lastAt } = view;
  const closed = view.what === 'planning' ? 'planning' : `${tasks.closed}/${tasks.total}`;
  const cost = spent.sessions === 0 ? '–' : formatCost(spent).replace('at least ', '≥ ');
  return [run, state, formatMs(Math.max(0, nowMs - Date.parse(endedAt ?? lastAt))), closed, cost];
}

function formatTask(task: WorkInProgress): string {
  const session = task.session === undefined ? '' : `, session ${task.session}`;
  const standIn = task.insteadOf === undefined ? '' : `, ${task.agent} instead of ${task.insteadOf}`;
  return `${task.id}: ${task.title} (attempt ${task.attempt}${session}${standIn})`;
}

function formatState(standing: RunView, nowMs: number): string {
  switch (standing.state) {
    case 'working':
      if (standing.pausing) return 'pausing after the current session; pawl continue ends the pause';
      return `working, last sign ${formatAgo(standing.lastAt, nowMs)}`;
    case 'waiting':
      return explainWait(standing, nowMs);
    case 'paused':
      return `paused ${formatAgo(standing.pausedSince ?? standing.lastAt, nowMs)}; pawl continue ends the pause`;
    case 'stopped':
      return `stopped ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}, not finished${standing.exit ? `: ${standing.exitText}` : ''}`;
    case 'died':
      return `was cut off ${formatAgo(standing.lastAt, nowMs)} (killed, or the machine went down); it can be resumed`;
    case 'finished':
      return `finished ${formatAgo(standing.endedAt ?? standing.lastAt, nowMs)}: ${standing.exitText ?? 'done'}`;
  }
}

function formatAgo(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  return Number.isFinite(ms) ? `${formatMs(Math.max(0, ms))} ago` : 'at an unknown time';
}
