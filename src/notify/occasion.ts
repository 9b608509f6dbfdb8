// Which events a person is told about, and in which words. Texts are bounded.
import type { Occasion } from '../config/schema.ts';
import { defined } from '../defined.ts';
import { commandAgain } from '../event/again.ts';
import type { Event, FactOf, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import { formatChange, formatDifference } from '../report/events/format-task.ts';
import { isGoodEnd } from '../report/findings/judge-findings.ts';
import { formatReached } from '../report/text/amount.ts';
import { formatCost, formatCount, formatMoment, formatMs } from '../report/text/figure.ts';
import { formatExit, formatProofs } from '../report/text/run-words.ts';
import { headlineOf } from '../report/view/needs.ts';
import { viewRun } from '../report/view/view-run.ts';
import { shorten } from '../shorten.ts';
import type { MessageEvent, MessageTone, Priority } from './message.ts';

export type Item = Readonly<{
  occasion: Occasion;
  /** A later item with the same key replaces it; a later event can make it moot. */
  key: string;
  atMs: number;
  priority: Priority;
  tone: MessageTone;
  /** Few words, without the plan's title. */
  title: string;
  text: string;
  event: MessageEvent;
}>;

const longest = 400;

type Words = Pick<Item, 'occasion' | 'priority' | 'tone' | 'title' | 'text'> &
  Readonly<{ key?: string; task?: string; command?: string; end?: MessageEvent['end'] }>;

/** `state`: including the event. Undefined: not worth it. */
export function readItem(
  event: Stamped<Event>,
  state: RunState,
  clean: (text: string) => string,
): Item | undefined {
  const words = wordsOf(event, state);
  if (!words) return undefined;
  const { occasion, key = '', task, command, end, ...rest } = words;
  const { error } = end ?? {};
  return {
    ...rest,
    title: clean(rest.title),
    text: clean(rest.text),
    occasion,
    key: `${occasion}:${task ?? key}`,
    atMs: Date.parse(event.at),
    event: {
      occasion,
      priority: rest.priority,
      about: aboutOf(state),
      ...defined({ task, command }),
      ...(end && { end: { ...end, ...defined({ error: error && clean(error) }) } }),
    },
  };
}

/** Keys of items that are now moot. */
export function settles(event: Event): readonly string[] {
  if (event.type === 'waited') return ['limit:began'];
  if (event.type !== 'intervention' || !['answer', 'retry', 'skip'].includes(event.kind)) return [];
  return [`needs-input:${event.task}`, `failed:${event.task}`, `stuck:${event.task}`];
}

function wordsOf(event: Stamped<Event>, state: RunState): Words | undefined {
  switch (event.type) {
    case 'task-set-aside':
    case 'stuck':
    case 'budget-reached':
    case 'waiting':
      return needWords(event, state);
    case 'agent-switched':
      return switchWords(event);
    case 'stage':
      return event.state === 'ended' ? stageWords(event) : undefined;
    case 'run-resumed':
      return event.after === 'crash' ? crashWords : undefined;
    case 'task-closed':
      return {
        occasion: 'task-done',
        priority: 1,
        tone: 'success',
        task: event.task,
        title: `Task ${event.task} is done${event.pending ? '; its proof follows' : `, ${event.proof}`}`,
        text: formatChange(event),
      };
    case 'run-ended':
      return endWords(event, state);
    default:
      return undefined;
  }
}

/** What the fact leaves to a person, in the words that status and the page have for it. */
function needWords(
  event: Stamped<FactOf<'task-set-aside' | 'stuck' | 'budget-reached' | 'waiting'>>,
  state: RunState,
): Words | undefined {
  const kind = kindOf(event);
  const task = 'task' in event ? event.task : undefined;
  const text = event.type === 'budget-reached' ? formatReached(event) : undefined;
  const need = viewRun(state, { isHeld: true }).needs.find(
    (each) => each.kind === kind && each.task === task && (text === undefined || each.text === text),
  );
  const look = kind && looks[kind];
  if (!need || !look) return undefined;
  const until = need.until && `; it continues by itself at ${formatMoment(Date.parse(need.until))}`;
  return {
    ...look,
    ...defined({ task, command: need.command }),
    ...(event.type === 'budget-reached'
      ? { priority: event.share === 1 ? (5 as const) : (3 as const), key: `${event.budget} ${event.share}` }
      : {}),
    title: headlineOf(need),
    text: `${shorten(need.text, longest)}${until ?? ''}`,
  };
}

function kindOf(
  event: FactOf<'task-set-aside' | 'stuck' | 'budget-reached' | 'waiting'>,
): keyof typeof looks | undefined {
  switch (event.type) {
    case 'task-set-aside':
      return ({ parked: 'question', failed: 'failed', skipped: undefined, open: undefined } as const)[
        event.as
      ];
    case 'stuck':
      return event.step === 'give-up' ? undefined : 'stuck';
    case 'budget-reached':
      return 'budget';
    case 'waiting':
      // Others are short, or have a message of their own.
      return event.why === 'crash' || event.why === 'answer' ? undefined : 'limit';
  }
}

const looks = {
  question: { occasion: 'needs-input', priority: 5, tone: 'warning' },
  failed: { occasion: 'failed', priority: 5, tone: 'failure' },
  stuck: { occasion: 'stuck', priority: 4, tone: 'warning' },
  budget: { occasion: 'budget', priority: 5, tone: 'warning' },
  limit: { occasion: 'limit', priority: 2, tone: 'info', key: 'began' },
} as const;

function switchWords({ from, to, why }: FactOf<'agent-switched'>): Words {
  return {
    occasion: 'agent-switched',
    priority: why === 'limit' ? 2 : 1,
    tone: 'info',
    title: `${to} continues`,
    text:
      why === 'limit' ? `${from} is at a usage limit.` : `Its usage limit is over; ${from} had taken over.`,
  };
}

function stageWords({ stage, end, open }: FactOf<'stage-ended'>): Words | undefined {
  if (isGoodEnd(end) || end === 'skipped') return undefined;
  return {
    occasion: 'review',
    priority: 4,
    tone: 'warning',
    key: stage,
    command: 'pawl report --findings',
    title: `The review is not clean`,
    text: `Stage ${stage} ended ${end}, with ${formatCount(open.length, 'open finding')}.`,
  };
}

const crashWords: Words = {
  occasion: 'crash',
  priority: 4,
  tone: 'warning',
  title: 'Continues after a crash',
  text: 'pawl was killed, or the machine went down. The run resumed where it was.',
};

/** By exit code, but for a person’s own Ctrl-C. */
const ends: Readonly<Record<number, Pick<Words, 'occasion' | 'priority' | 'tone'>>> = {
  0: { occasion: 'done', priority: 3, tone: 'success' },
  3: { occasion: 'needs-input', priority: 5, tone: 'warning' },
  4: { occasion: 'review', priority: 4, tone: 'warning' },
  5: { occasion: 'budget', priority: 5, tone: 'warning' },
  6: { occasion: 'limit', priority: 4, tone: 'warning' },
};

function endWords(fact: Stamped<FactOf<'run-ended'>>, state: RunState): Words | undefined {
  const { exit, finished, reasons, difference } = fact;
  if (exit === 130) return undefined;
  const { files = 0, insertions = 0, deletions = 0 } = difference ?? {};
  const durationMs = Math.max(0, Date.parse(fact.at) - Date.parse(state.started.at));
  const why = reasons.filter((reason) => reason.exit === exit).map(({ text }) => shorten(text, longest));
  const exitWords = formatExit(exit, reasons);
  const error = why.length > 0 ? why.join('; ') : exitWords;
  const how = finished ? 'Finished' : 'Stopped';
  const title = exit === 0 ? `${how}${finished ? '' : ' as asked'}` : `${how}: ${exitWords}`;
  // The task’s own message has said more.
  const reason =
    exit === 0 && why.length === 0
      ? []
      : exit === 3
        ? ['The run has ended and waits for you.']
        : [`${error}.`];
  return {
    ...(ends[exit] ?? { occasion: 'failed', priority: 5, tone: 'failure' }),
    key: 'end',
    title,
    text: [...reason, `${formatTotals(state, durationMs)}.`].join(' '),
    command: finished ? 'pawl report' : commandAgain(state),
    end: { exit, durationMs, files, insertions, deletions, ...(exit === 0 ? {} : { error }) },
  };
}

function formatTotals(state: RunState, durationMs: number): string {
  const { tasks, spent } = viewRun(state, {});
  const change = state.course.ended && formatDifference(state.course.ended);
  return [
    ...(tasks.total > 0 ? [formatProofs(tasks)] : []),
    ...(change === undefined ? [] : [change]),
    formatMs(durationMs),
    ...(spent.sessions > 0 ? [formatCost(spent)] : []),
  ].join(', ');
}

function aboutOf({ started }: RunState): MessageEvent['about'] & object {
  const { run, title, plan, branch, review, planning } = started;
  return { run, title, plan, branch, mode: planning ? 'plan' : review ? 'review' : 'full' };
}
