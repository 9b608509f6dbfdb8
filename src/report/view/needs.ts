// What in a run waits for a person, most urgent first.
import { defined } from '../../defined.ts';
import { waits } from '../../event/waits.ts';
import type { RunState } from '../../journal/state.ts';
import type { TaskState } from '../../journal/task-state.ts';
import { formatCount, formatReached } from '../text/figure.ts';
import { formatProofs } from '../text/run-words.ts';
import { mergeCommand } from './report-next.ts';
import type { Need, RunView } from './run-view.ts';

type ViewWithoutNeeds = Omit<RunView, 'needs'>;

/** A run that is over, or was taken up by another machine, asks for nothing here. */
export function listNeeds(state: RunState, view: ViewWithoutNeeds): readonly Need[] {
  if (view.state === 'finished') {
    const ready = readyOf(state, view);
    return ready.length > 0 ? ready : findingsOf(view);
  }
  if (view.carried?.takenBy !== undefined) return [];
  const tasks = [...state.tasks.values()];
  return [
    ...tasks.flatMap(needsOfTask),
    ...planningOf(state, view),
    ...limitOf(state, view),
    ...budgetsOf(state, view),
    ...stopOf(view, tasks),
  ].sort((a, b) => rank.indexOf(a.urgency) - rank.indexOf(b.urgency));
}

export function headlineOf({ kind, task, title }: Need): string {
  switch (kind) {
    case 'question':
      return `Task ${task} asks you`;
    case 'failed':
      return `Task ${task} failed`;
    case 'stuck':
      return `Task ${task} is stuck`;
    default:
      return title;
  }
}

const rank: readonly Need['urgency'][] = ['now', 'soon', 'later'];

const urgencies = {
  ...({ question: 'now', planning: 'now', crash: 'now' } as const),
  ...({ failed: 'soon', stuck: 'soon', findings: 'soon', stopped: 'soon' } as const),
  ...({ limit: 'later', budget: 'later', ready: 'later' } as const),
} satisfies Record<Need['kind'], Need['urgency']>;

type NeedFields = Readonly<{ [F in Exclude<keyof Need, 'kind'>]?: Need[F] | undefined }>;

function need(kind: Need['kind'], title: string, text: string, more: NeedFields = {}): Need {
  return { kind, urgency: urgencies[kind], title, text, ...defined(more) };
}

function needsOfTask(task: TaskState): readonly Need[] {
  const { id, title, standing } = task;
  switch (standing.is) {
    case 'parked':
      return [questionOf(task, standing.question)];
    case 'failed': {
      // A reason names the alarm, not its cause.
      const says = task.checks.findLast(({ result }) => result !== 'green')?.says;
      const more = { task: id, says, since: standing.at, command: `pawl retry ${id}` };
      return [need('failed', title, standing.reason, more)];
    }
    case 'open': {
      const command = `pawl steer --task ${id} "…"`;
      const { step, why = '' } = standing.stuck ?? {};
      // Given up, it is about to fail.
      if (step === undefined || step === 'give-up') return [];
      return [need('stuck', title, `No progress: ${why}`, { task: id, command })];
    }
    default:
      return [];
  }
}

function questionOf({ id, title, lastRound }: TaskState, question: string): Need {
  const options = optionsOf(question);
  const isListed = options.length > 1;
  // Answers with lines of their own are shown once, as answers.
  const lines = question.split('\n').filter((line) => !options.includes(trimOption(listed.exec(line)?.[1])));
  const text = isListed ? lines.join('\n').trim() : question;
  return need('question', title, text, {
    task: id,
    since: lastRound?.at,
    command: `pawl answer ${id} "…"`,
    options: isListed ? options : undefined,
  });
}

const listed = /^\s*(?:[-*•]|\(?(?:\d{1,2}|[a-hA-H])[.)])\s+(.+)$/;
const lettered = /\((?:\d{1,2}|[a-hA-H])\)\s+([^()]+?)(?=[,;?.]?\s*(?:or\s+)?\((?:\d|[a-hA-H])|[?.]?\s*$)/g;

function trimOption(text = ''): string {
  return text.trim().replace(/[,;]$/, '');
}

/** Each on a line of its own or after (a), 1) and the like. */
export function optionsOf(question: string): readonly string[] {
  const lines = [...question.matchAll(new RegExp(listed, 'gm'))];
  const found = lines.length > 1 ? lines : [...question.matchAll(lettered)];
  return found.flatMap(([, text = '']) => {
    const option = trimOption(text);
    return option === '' || option.length > 120 ? [] : [option];
  });
}

/** Only the terminal in which the plan is made can answer; an ended dialogue counts as stopped. */
function planningOf({ dialogue }: RunState, { state, title }: ViewWithoutNeeds): readonly Need[] {
  const last = dialogue.at(-1);
  if (last?.type !== 'dialogue' || last.state !== 'asked' || (state !== 'working' && state !== 'waiting'))
    return [];
  const options = last.options.map(
    ({ label, why, recommended }) =>
      `- ${label}${recommended ? ' (recommended)' : ''}${why ? `: ${why}` : ''}`,
  );
  return [need('planning', title, [last.text, ...options].join('\n'))];
}

function limitOf({ waiting }: RunState, { state }: ViewWithoutNeeds): readonly Need[] {
  if (state !== 'waiting' || !waiting || waiting.why === 'answer') return [];
  const until = new Date(waiting.until);
  return [
    need('limit', `Waiting ${waits[waiting.why].reason}`, waiting.text, {
      since: waiting.at,
      command: 'pawl continue',
      until: Number.isNaN(until.getTime()) ? undefined : until.toISOString(),
    }),
  ];
}

function budgetsOf({ budgetsReached, caps }: RunState, { state }: ViewWithoutNeeds): readonly Need[] {
  const last = new Map(budgetsReached.map((fact) => [`${fact.budget} ${fact.task ?? ''}`, fact]));
  return [...last.values()].flatMap((fact) => {
    const asked = caps.asked.find(({ budget }) => budget === fact.budget);
    // Raised since.
    if (asked && asked.cap > fact.cap) return [];
    const isSpent = fact.share === 1;
    const title = isSpent ? 'A budget is spent' : 'A budget is nearly spent';
    return need('budget', title, formatReached(fact), {
      ...(isSpent && { urgency: state === 'working' ? 'soon' : 'now' }),
      task: fact.task,
      command: fact.budget === 'cost' ? 'pawl set budget <dollars>' : undefined,
    });
  });
}

function findingsOf({ review, endedAt }: ViewWithoutNeeds): readonly Need[] {
  const open = review?.unsettled ?? [];
  if (open.length === 0) return [];
  const worst = open.slice(0, 3).map((finding) => `${finding.severity}: ${finding.title}`);
  return [
    need('findings', `${formatCount(open.length, 'finding')} to decide`, worst.join('\n'), {
      command: 'pawl report --findings',
      since: endedAt,
    }),
  ];
}

/** A branch that is done; nobody can tell here whether it was merged. */
function readyOf(state: RunState, view: ViewWithoutNeeds): readonly Need[] {
  const { exit, tasks, title, endedAt, review } = view;
  const opinions = review?.unsettled.length ?? 0;
  const command = mergeCommand(state);
  if (exit !== 0 || command === undefined) return [];
  const words = [
    tasks.total > 0 ? formatProofs(tasks) : '',
    state.freshVerified?.result === 'green' ? 'green in a fresh checkout' : '',
    opinions > 0 ? `${formatCount(opinions, 'opinion')} to read` : '',
  ];
  return [need('ready', title, words.filter(Boolean).join(', '), { command, since: endedAt })];
}

/** If nothing above says why. A person who stopped it knows. */
function stopOf(view: ViewWithoutNeeds, tasks: readonly TaskState[]): readonly Need[] {
  const { state, tone, reasons = [], hints = [], next, lastAt } = view;
  const more = { since: lastAt, command: next };
  const cutOff = 'pawl was killed, or the machine went down. Nothing is lost: it resumes where it was.';
  if (state === 'died') return [need('crash', 'The run was cut off', cutOff, more)];
  const isTold = tasks.some(({ standing: { is } }) => is === 'parked' || is === 'failed');
  if (state !== 'stopped' || isTold || tone !== 'bad') return [];
  return [need('stopped', 'The run has stopped', [...reasons, ...hints.slice(0, 1)].join('. '), more)];
}
