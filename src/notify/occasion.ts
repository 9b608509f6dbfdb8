// What a person is told of, in which words: what newly waits for them in the run's view, and what has happened. Texts
// are bounded.
import { defined } from '../defined.ts';
import type { Event, FactOf, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import { formatChange, formatDifference } from '../report/events/format-task.ts';
import { isGoodEnd } from '../report/findings/judge-findings.ts';
import { formatCost, formatCount, formatMoment, formatMs } from '../report/text/figure.ts';
import { formatExit, formatProofs } from '../report/text/run-words.ts';
import { headlineOf } from '../report/view/needs.ts';
import type { Need, RunView } from '../report/view/run-view.ts';
import { viewRun } from '../report/view/view-run.ts';
import { shorten } from '../shorten.ts';
import type { About, MessageEvent, MessageTone } from './message.ts';

export type Item = Readonly<{
  /** A later item with the same key replaces it. */
  key: string;
  /** Moot once the run needs it no more. */
  need?: Need;
  atMs: number;
  tone: MessageTone;
  /** Few words, without the plan's title. */
  title: string;
  text: string;
  event: MessageEvent;
}>;

const longest = 400;

type Words = Pick<Item, 'tone' | 'title' | 'text' | 'need'> &
  Omit<MessageEvent, 'about'> &
  Readonly<{ key?: string }>;

/** `state`: including the event. */
export function readItems(
  event: Stamped<Event>,
  state: RunState,
  { before, clean }: Readonly<{ before: RunState | undefined; clean: (text: string) => string }>,
): readonly Item[] {
  const view = viewOf(state);
  const words = [...needWords(state, before), eventWords(event, view) ?? []].flat();
  return words.map(({ key = '', need, tone, title, text, ...told }) => {
    const { occasion, task, end } = told;
    const error = end?.error && clean(end.error);
    return {
      key: `${occasion}:${task ?? key}`,
      atMs: Date.parse(event.at),
      tone,
      title: clean(title),
      text: clean(text),
      event: { ...told, about: aboutOf(view, clean), ...(end && { end: { ...end, ...defined({ error }) } }) },
      ...defined({ need }),
    };
  });
}

export function isMoot({ need }: Item, state: RunState): boolean {
  return need !== undefined && !viewOf(state).needs.some((each) => isSame(each, need));
}

function viewOf(state: RunState): RunView {
  return viewRun(state, { isHeld: true });
}

function isSame(one: Need, other: Need): boolean {
  return one.kind === other.kind && one.task === other.task && one.text === other.text;
}

type Look = Pick<Words, 'occasion' | 'priority' | 'tone'>;

/** By what waits for a person; the rest is told by the run's end. */
const needLooks: Readonly<{ [K in Need['kind']]?: Look }> = {
  question: { occasion: 'needs-input', priority: 5, tone: 'warning' },
  failed: { occasion: 'failed', priority: 5, tone: 'failure' },
  stuck: { occasion: 'stuck', priority: 4, tone: 'warning' },
  budget: { occasion: 'budget', priority: 5, tone: 'warning' },
  limit: { occasion: 'limit', priority: 2, tone: 'info' },
};

/** By exit code. */
const endLooks: Readonly<Record<number, Look>> = {
  0: { occasion: 'done', priority: 3, tone: 'success' },
  3: { occasion: 'needs-input', priority: 5, tone: 'warning' },
  4: { occasion: 'review', priority: 4, tone: 'warning' },
  5: { occasion: 'budget', priority: 5, tone: 'warning' },
  6: { occasion: 'limit', priority: 4, tone: 'warning' },
};

/** In the words that status and the page have for it. */
function needWords(state: RunState, before: RunState | undefined): readonly Words[] {
  const known = before ? viewOf(before).needs : [];
  const news = viewOf(state).needs.filter((need) => !known.some((each) => isSame(each, need)));
  return news.flatMap((need): Words | readonly Words[] => {
    const look = needLooks[need.kind];
    // A crashed agent is tried again shortly.
    if (!look || (need.kind === 'limit' && state.waiting?.why === 'crash')) return [];
    const until = need.until && `; it continues by itself at ${formatMoment(Date.parse(need.until))}`;
    return {
      ...look,
      ...(need.kind === 'budget' && need.urgency === 'later' && { priority: 3 }),
      ...defined({ task: need.task, command: need.command }),
      key: need.text,
      need,
      title: headlineOf(need),
      text: `${shorten(need.text, longest)}${until ?? ''}`,
    };
  });
}

function eventWords(event: Stamped<Event>, view: RunView): Words | undefined {
  switch (event.type) {
    case 'agent-switched': {
      const { from, to, why } = event;
      const isLimit = why === 'limit';
      return {
        occasion: 'agent-switched',
        priority: isLimit ? 2 : 1,
        tone: 'info',
        title: `${to} continues`,
        text: isLimit ? `${from} is at a usage limit.` : `Its usage limit is over; ${from} had taken over.`,
      };
    }
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
      // A person's own Ctrl-C.
      return event.exit === 130 ? undefined : endWords(event, view);
    default:
      return undefined;
  }
}

function stageWords({ stage, end, open }: FactOf<'stage-ended'>): Words | undefined {
  if (isGoodEnd(end) || end === 'skipped') return undefined;
  return {
    occasion: 'review',
    priority: 4,
    tone: 'warning',
    key: stage,
    command: 'pawl report --findings',
    title: 'The review is not clean',
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

function endWords(ended: FactOf<'run-ended'>, view: RunView): Words {
  const { exit, finished, reasons } = ended;
  const { startedAt, lastAt, changed, tasks, spent, next = 'pawl report' } = view;
  const durationMs = Math.max(0, Date.parse(lastAt) - Date.parse(startedAt));
  const exitWords = formatExit(exit, reasons);
  const why = reasons.filter((reason) => reason.exit === exit).map(({ text }) => shorten(text, longest));
  const error = why.join('; ') || exitWords;
  // The task’s own message has said more.
  const reason = exit === 3 ? 'The run has ended and waits for you. ' : `${error}. `;
  const totals = [
    tasks.total > 0 && formatProofs(tasks),
    formatDifference(ended),
    formatMs(durationMs),
    spent.sessions > 0 && formatCost(spent),
  ];
  return {
    ...(endLooks[exit] ?? { occasion: 'failed', priority: 5, tone: 'failure' }),
    key: 'end',
    title: `${finished ? 'Finished' : 'Stopped'}${exit > 0 ? `: ${exitWords}` : finished ? '' : ' as asked'}`,
    text: `${exit === 0 && why.length === 0 ? '' : reason}${totals.filter(Boolean).join(', ')}.`,
    command: next,
    end: {
      exit,
      durationMs,
      ...(changed ?? { files: 0, insertions: 0, deletions: 0 }),
      ...(exit > 0 && { error }),
    },
  };
}

const modes = { run: 'full', review: 'review', planning: 'plan' } as const;

function aboutOf({ run, title, plan, branch, what }: RunView, clean: (text: string) => string): About {
  return { run, title: clean(title), plan, branch, mode: modes[what] };
}
