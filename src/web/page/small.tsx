// Small pieces that many views use: a state with its colour and word, times that tick, code to copy.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatUsd } from '../../dollars.ts';
import { formatMoment, formatMs, formatTime } from '../../report/text/figure.ts';
import type { TaskCounts } from '../../report/view/run-view.ts';
import type { Card, TaskView } from '../view.ts';
import { now } from './store.ts';

type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

/** A word with its colour; the colour says nothing that the word does not. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

export function stateOf(card: Card): { tone: Tone; word: string } {
  switch (card.state) {
    case 'working':
      return card.pausing ? { tone: 'warn', word: 'pausing' } : { tone: 'busy', word: 'working' };
    case 'waiting':
      return { tone: 'warn', word: 'waiting' };
    case 'paused':
      return { tone: 'warn', word: 'paused' };
    case 'stopped':
      return {
        tone: card.exit === undefined || card.exit === 0 || card.exit >= 128 ? 'plain' : 'bad',
        word: 'stopped',
      };
    case 'died':
      return { tone: 'bad', word: 'crashed' };
    case 'discarded':
      return { tone: 'plain', word: 'discarded' };
    case 'finished':
      return card.exit === 0 ? { tone: 'good', word: 'done' } : { tone: 'warn', word: 'done, not clean' };
  }
}

export const standings: Readonly<Record<TaskView['standing'], { tone: Tone; word: string }>> = {
  open: { tone: 'plain', word: 'open' },
  working: { tone: 'busy', word: 'in progress' },
  proven: { tone: 'good', word: 'proven' },
  passed: { tone: 'good', word: 'passed' },
  unchecked: { tone: 'warn', word: 'UNCHECKED' },
  'by-hand': { tone: 'warn', word: 'by hand' },
  before: { tone: 'plain', word: 'done before' },
  failed: { tone: 'bad', word: 'failed' },
  parked: { tone: 'warn', word: 'asks' },
  skipped: { tone: 'plain', word: 'skipped' },
};

export function Standing({ task, isRunning }: { task: TaskView; isRunning: boolean }) {
  const { tone, word } = standings[task.standing];
  const rests = task.standing === 'working' && !isRunning;
  return <Badge tone={rests ? 'plain' : tone}>{rests ? 'begun' : word}</Badge>;
}

/** What a run does in each of its phases while no task is worked on. */
export const phases: Readonly<Record<string, string>> = {
  setup: 'Setting up the working tree',
  baseline: 'Running the checks on the untouched tree',
  tasks: 'Between two tasks',
  'at-end': 'Running the checks at the end',
  review: 'Reviewing',
  finalize: 'Finalizing',
  archive: 'Moving the plan',
  plan: 'Planning',
};

/** How many tasks stand how, in the order they are drawn. */
export type Counts = readonly (readonly [tone: Tone | 'done', count: number])[];

/** `inWork`: how many of the open ones are worked on. */
export function countsOf(tasks: TaskCounts, inWork: number): Counts {
  const { proven, passed, unchecked, byHand, before, failed, parked, skipped, open } = tasks;
  const works = Math.min(open, inWork);
  return [
    ['good', proven + passed],
    ['warn', unchecked],
    ['done', byHand + before],
    ['bad', failed],
    ['warn', parked],
    ['busy', works],
    ['plain', open - works + skipped],
  ];
}

/** Of more tasks, those that stand alike are one piece. */
const mostSegments = 24;

/** One piece for each task; the shape of what is open is hollow, so that it needs no colour. */
export function Segments({ counts, label }: { counts: Counts; label: string }) {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const pieces =
    total > mostSegments
      ? counts.filter(([, count]) => count > 0)
      : counts.flatMap(([tone, count]) => Array.from({ length: count }, () => [tone, 1] as const));
  return (
    <span class="segments" role="img" aria-label={label}>
      {pieces.map(([tone, count], at) => (
        <span key={at} class={tone} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

/** The cap of the run's cost that somebody set, US dollars. */
export function costCap({ caps }: Card): number | undefined {
  return caps.find(({ budget, from }) => budget === 'cost' && from !== 'default')?.cap;
}

/** `$2.35`, with a plus if it is a lower bound; a dash if nothing was spent. */
export function Cost({ spent }: { spent: Card['spent'] }) {
  const { costUsd, atLeast, sessions } = spent;
  if (sessions === 0) return <>–</>;
  if (costUsd === undefined || (atLeast && costUsd === 0))
    return <span title="No session has told its cost">?</span>;
  return <span title={atLeast ? 'at least' : undefined}>{`${formatUsd(costUsd)}${atLeast ? '+' : ''}`}</span>;
}

/** A future moment, about: `≈ 15:40`; one that has passed was too early, and by how much nobody knows. */
export function About({ epochMs }: { epochMs: number }) {
  return <span class="figure">{epochMs > now.value ? `≈ ${formatTime(epochMs, now.value)}` : 'soon'}</span>;
}

export function Ago({ at }: { at: string }) {
  const ms = Math.max(0, now.value - Date.parse(at));
  const text =
    ms < 60_000
      ? 'just now'
      : ms < 86_400_000
        ? `${formatMs(ms).replace(/ \d\ds$/, '')} ago`
        : formatMoment(Date.parse(at));
  return (
    <time dateTime={at} title={formatMoment(Date.parse(at))}>
      {text}
    </time>
  );
}

export function Countdown({ until }: { until: string }) {
  const ms = Date.parse(until) - now.value;
  return (
    <span>
      {ms > 0 ? `in ${formatMs(ms)}` : 'any moment'}{' '}
      <span class="dim">({formatMoment(Date.parse(until))})</span>
    </span>
  );
}

export function CommandLine({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    });
  };
  return (
    <div class="command">
      {label === undefined ? null : <span class="dim">{label}</span>}
      <code>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

/** Words in which commands, written in backticks, appear as code. */
export function Words({ text }: { text: string }) {
  return (
    <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}

/** A share, from 0 to 1, as a thin bar. */
export function Meter({ share, tone = 'busy', label }: { share: number; tone?: Tone; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span class="meter" role="img" aria-label={label}>
      <span class={`fill ${tone}`} style={{ width: `${percent}%` }} />
    </span>
  );
}

/** What deserves a look, each in its tone; nothing if the list is empty. */
export function Notes({ list }: { list: readonly Readonly<{ tone: string; text: string }>[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="notes">
      {list.map(({ tone, text }, at) => (
        <li key={at} class={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** What the colours of a drawing mean: a class for each, and its words. */
export function Legend({ keys }: { keys: readonly (readonly [name: string, word: string])[] }) {
  return (
    <p class="legend dim">
      {keys.map(([name, word]) => (
        <span key={name}>
          <span class={`key ${name}`} /> {word}{' '}
        </span>
      ))}
    </p>
  );
}
