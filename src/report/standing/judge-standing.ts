// Judges where a run stands from the folded journal and the lock's holder alone.
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import { capsInForce } from '../../event/budget.ts';
import type { ProofWord } from '../../event/proof.ts';
import { proofWordOf } from '../../event/proof-word.ts';
import { isDiscarded } from '../../event/run.ts';
import { pickExit } from '../../failure.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import type { Holder } from '../../journal/holder.ts';
import type { Spent } from '../../journal/ledger.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { formatEquivalent } from '../events/format-budget.ts';
import { isUnsettled, judgeFindings } from '../findings/findings.ts';
import type { Standing, TaskInWork } from './standing.ts';

type StandingSources = Readonly<{
  folder: string;
  holder: Holder | undefined;
  spent: Spent;
  /** Branch checked out where it is asked, if that matters. */
  checkedOut?: string | undefined;
}>;

export function judgeStanding(state: RunState, seen: StandingSources): Standing {
  const { started, ended, waiting } = state;
  const { holder } = seen;
  const tasks = [...state.tasks.values()];
  const inWork = tasksInWork(tasks);
  const task = inWork.at(-1);
  const equivalent = formatEquivalent(state);
  const stands = judgeState(state, holder !== undefined);
  return {
    run: started.run,
    folder: seen.folder,
    plan: state.archived?.to ?? started.plan,
    title: started.title,
    branch: started.branch,
    ...defined({ worktree: state.worktree?.path }),
    state: stands,
    ...(stands === 'stopped' || stands === 'died' || stands === 'discarded'
      ? { next: nextOf(state, tasks, seen) }
      : {}),
    ...(ended === undefined ? {} : { ...endOf(state, ended, seen.spent), endedAt: ended.at }),
    ...(stands === 'working' && state.pause ? { pausing: true } : {}),
    ...(task === undefined || ended?.finished ? {} : { task: describeTask(state, task) }),
    ...(state.landings.lanes.size === 0 || ended?.finished
      ? {}
      : { inWork: inWork.filter(({ takenAway }) => !takenAway).map((each) => describeTask(state, each)) }),
    limited: limitedOf(state),
    ...carriedOf(state),
    tasks: countTasks(state, tasks),
    ...reviewOf(state),
    ...dialogueOf(state),
    questions: questionsOf(tasks),
    notes: notesOf(state),
    spent: seen.spent,
    caps: capsInForce(state.caps),
    billing: started.billing,
    ...(equivalent === '' ? {} : { apiEquivalent: equivalent }),
    ...(waiting && !ended ? { waitingUntil: isoOf(waiting.until), waitingFor: waiting.text } : {}),
    startedAt: started.at,
    lastAt: state.lastAt,
    ...defined({ holder: holder && { pid: holder.pid, host: holder.host, since: holder.since } }),
  };
}

/** The command that continues; if only a skipped task is left, the same command would end with the same words. */
function nextOf(state: RunState, tasks: readonly TaskState[], { checkedOut }: StandingSources): string {
  const left = tasks.filter(({ standing }) => standing !== 'closed' && standing !== 'closed-by-hand');
  const [first] = left;
  if (first && left.every(({ standing }) => standing === 'skipped')) return `pawl retry ${first.id}`;
  return commandAgain({ ...state, checkedOut });
}

function questionsOf(tasks: readonly TaskState[]): Standing['questions'] {
  return tasks
    .filter(({ standing }) => standing === 'parked')
    .map(({ id, question = '' }) => ({ task: id, question }));
}

function limitedOf({ metLimits }: RunState): Standing['limited'] {
  return [...metLimits].map(([agent, { until }]) => ({
    agent,
    ...(until === undefined ? {} : { until: isoOf(until) }),
  }));
}

function notesOf({ notes }: RunState): Standing['notes'] {
  return notes
    .filter(({ session }) => session === undefined)
    .map(({ note, text, task }) => ({ note, text, ...defined({ task }) }));
}

/** What a person has since dealt with is no longer a reason; without any reasons left there is no exit code to show. */
function endOf(
  state: RunState,
  ended: NonNullable<RunState['ended']>,
  spent: Spent,
): Pick<Standing, 'exit' | 'reasons' | 'hints'> {
  const reasons = ended.reasons.filter(({ code }) => ended.finished || stillHolds(state, code, spent));
  if (reasons.length === 0 && ended.reasons.length > 0) return {};
  return {
    exit: reasons.length === ended.reasons.length ? ended.exit : pickExit(reasons.map(({ exit }) => exit)),
    reasons: reasons.map(({ text }) => text),
    hints: reasons.flatMap(({ hint }) => hint ?? []),
  };
}

function stillHolds({ tasks, caps, ended, interventions }: RunState, code: string, spent: Spent): boolean {
  const has = (standing: TaskState['standing']) =>
    [...tasks.values()].some((task) => task.standing === standing);
  switch (code) {
    case 'needs-person':
      return has('parked');
    case 'skipped':
      return has('skipped');
    case 'task-failed':
      return has('failed');
    case 'budget': {
      const isSet = interventions.some(({ kind, at }) => kind === 'budget' && at > (ended?.at ?? ''));
      const cap = capsInForce(caps).find(({ budget }) => budget === 'cost')?.cap;
      return !isSet || cap === undefined || (spent.costUsd ?? 0) >= cap;
    }
    default:
      return true;
  }
}

function judgeState({ ended, waiting, pause }: RunState, isHeld: boolean): Standing['state'] {
  if (isDiscarded({ ended })) return 'discarded';
  if (ended) return ended.finished ? 'finished' : 'stopped';
  if (!isHeld) return 'died';
  if (pause?.since !== undefined) return 'paused';
  return waiting ? 'waiting' : 'working';
}

/** Those that are begun and not closed, the latest last; a person wants to know about them even if the run has stopped. */
function tasksInWork(tasks: readonly TaskState[]): readonly TaskState[] {
  return tasks
    .filter((task) => task.standing === 'open' && task.start !== undefined)
    .sort((a, b) => (a.start?.at ?? '').localeCompare(b.start?.at ?? ''));
}

function describeTask(state: RunState, task: TaskState): TaskInWork {
  const session = [...state.sessions.values()].findLast(
    (each) => each.started.task === task.id && !each.ended,
  );
  return {
    id: task.id,
    title: task.title,
    attempt: Math.max(1, task.attemptsEver - task.uncounted),
    ...defined({
      session: session?.started.session,
      agent: session?.started.agent,
      insteadOf: session?.started.insteadOf,
      lastRound: task.lastRound?.reason,
    }),
  };
}

function isClosedAs(word: ProofWord): (task: TaskState) => boolean {
  return (task) => proofWordOf(task) === word;
}

export function countTasks({ plan }: RunState, tasks: readonly TaskState[]): Standing['tasks'] {
  const ticked = new Set(plan?.tasks.filter(({ closed }) => closed).map(({ id }) => id));
  const count = (is: (task: TaskState) => boolean) => tasks.filter(is).length;
  const isBefore = (task: TaskState) =>
    task.standing === 'open' && task.start === undefined && ticked.has(task.id);
  return {
    total: tasks.length,
    ...{ proven: count(isClosedAs('proven')), passed: count(isClosedAs('passed')) },
    unchecked: count(isClosedAs('unchecked')),
    byHand: count((task) => task.standing === 'closed-by-hand'),
    before: count(isBefore),
    failed: count((task) => task.standing === 'failed'),
    parked: count((task) => task.standing === 'parked'),
    skipped: count((task) => task.standing === 'skipped'),
    open: count((task) => task.standing === 'open' && !isBefore(task)),
  };
}

function reviewOf(state: RunState): Pick<Standing, 'review'> {
  const { stages, findings } = judgeFindings(state);
  return stages.length === 0 ? {} : { review: { stages, unsettled: findings.filter(isUnsettled) } };
}

function dialogueOf({ started, dialogue }: RunState): Pick<Standing, 'dialogue'> {
  if (!started.planning) return {};
  const count = (type: DialogueFact['type']) => dialogue.filter((word) => word.type === type).length;
  const last = dialogue.at(-1);
  return {
    dialogue: {
      answered: count('question-answered'),
      drafts: count('draft-given'),
      ...(last?.type === 'question-asked' ? { asks: last.text } : {}),
      ...(last?.type === 'plan-written' ? { written: last.to } : {}),
    },
  };
}

function isoOf(epochMs: number): string {
  return Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : '';
}

function carriedOf({ carry }: RunState): Pick<Standing, 'carried'> {
  if (!carry) return {};
  const { remote, failed, fenced } = carry;
  return { carried: { remote, ...defined({ failed: failed?.reason, takenBy: fenced?.by.host }) } };
}
