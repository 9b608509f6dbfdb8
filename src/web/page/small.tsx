// Small pieces that many views use.
import { useState } from 'preact/hooks';
import { formatUsd } from '../../dollars.ts';
import { formatClock, formatMoment, formatMs, formatTime } from '../../report/text/figure.ts';
import { explainWait, phaseTitle } from '../../report/text/run-words.ts';
import type { TaskCounts } from '../../report/view/run-view.ts';
import type { Card, LogLine } from '../view.ts';
import { now } from './store.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

/** The colour says nothing that the word does not. */
export function Badge({ tone, word }: { tone: Tone; word: string }) {
  return <span class={`badge tone ${tone}`}>{word}</span>;
}

export function Count({ number }: { number: number }) {
  return number > 0 ? <span class="count">{number}</span> : null;
}

const endWords = { died: 'crashed', finished: 'done' } as const;

export function StateBadge({ card: { state, pausing, tone } }: { card: Card }) {
  if (state === 'working')
    return pausing ? <Badge tone="warn" word="pausing" /> : <Badge tone="busy" word={state} />;
  const word = state === 'died' || state === 'finished' ? endWords[state] : state;
  return <Badge tone={tone} word={state === 'finished' && tone !== 'good' ? 'done, not clean' : word} />;
}

/** What a run does while no task is worked on, or why it does nothing. */
export function whyOf(card: Card): string | undefined {
  const { state, phase, inWork, exit, exitText, reasons } = card;
  if (state === 'working') return inWork.length > 0 ? undefined : phase && phaseTitle[phase];
  if (state === 'waiting') return explainWait(card, now.value);
  return exit === 0 ? undefined : reasons?.join('; ') || exitText;
}

/** Of more, those that stand alike are one piece. */
const mostSegments = 24;

/** Open ones are hollow, so that no colour is needed. */
export function Progress({ tasks, inWork }: { tasks: TaskCounts; inWork: number }) {
  const { total, closed, unchecked, parked } = tasks;
  if (total === 0) return null;
  const open = tasks.open + tasks.working;
  const works = Math.min(open, inWork);
  const counts: readonly (readonly [Tone | 'done', number])[] = [
    ['good', tasks.proven + tasks.passed + tasks.pending],
    ['warn', unchecked],
    ['done', tasks['by-hand'] + tasks.before],
    ['bad', tasks.failed],
    ['warn', parked],
    ['busy', works],
    ['plain', open - works + tasks.skipped],
  ];
  const pieces =
    total > mostSegments
      ? counts.filter(([, count]) => count > 0)
      : counts.flatMap(([tone, count]) => Array.from({ length: count }, () => [tone, 1] as const));
  return (
    <span class="progress">
      <span class="segments" role="img" aria-label={`${closed} of ${total} tasks closed`}>
        {pieces.map(([tone, count], at) => (
          <span key={at} class={tone} style={{ flexGrow: count }} />
        ))}
      </span>
      <span class="dim">
        <strong class="figure">{closed}</strong> of {total}
        {unchecked > 0 ? `, ${unchecked} UNCHECKED` : ''}
      </span>
    </span>
  );
}

export function Cost({ spent: { costUsd, atLeast, sessions } }: { spent: Card['spent'] }) {
  if (sessions === 0) return <>–</>;
  if (costUsd === undefined || (atLeast && costUsd === 0))
    return <span title="No session has told its cost">?</span>;
  return <span title={atLeast ? 'at least' : undefined}>{`${formatUsd(costUsd)}${atLeast ? '+' : ''}`}</span>;
}

export function Price({ card: { spent, caps, forecast } }: { card: Card }) {
  const cap = caps.find(({ budget, from }) => budget === 'cost' && from !== 'default')?.cap;
  const words = [
    cap === undefined ? '' : `of ${formatUsd(cap)}`,
    forecast?.costUsd === undefined ? '' : `≈ ${formatUsd(forecast.costUsd)} at the end`,
  ];
  return (
    <span class="price">
      <strong class="figure">
        <Cost spent={spent} />
      </strong>{' '}
      <span class="dim">{words.filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** `≈ 15:40`; a past time was too early, by how much nobody knows. */
export function DoneAt({ card: { forecast, lastAt } }: { card: Card }) {
  if (!forecast) return null;
  const at = Date.parse(lastAt) + forecast.leftMs;
  return <strong class="figure">{at > now.value ? `≈ ${formatTime(at, now.value)}` : 'soon'}</strong>;
}

export function Ago({ at }: { at: string }) {
  const ms = Math.max(0, now.value - Date.parse(at));
  const moment = formatMoment(Date.parse(at));
  const text =
    ms < 60_000 ? 'just now' : ms < 86_400_000 ? `${formatMs(ms).replace(/ \d\ds$/, '')} ago` : moment;
  return (
    <time class="dim" dateTime={at} title={moment}>
      {text}
    </time>
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
    <div class="command line">
      {label === undefined ? null : <span class="dim">{label}</span>}
      <code>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

export function Words({ text }: { text: string }) {
  return (
    <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}

export function PlusMinus({ plus, minus }: { plus: number; minus: number }) {
  return (
    <span class="figure">
      <span class="tone good">+{plus}</span> <span class="tone bad">−{minus}</span>
    </span>
  );
}

export function Lines({ list }: { list: readonly (Omit<LogLine, 'at'> & Partial<LogLine>)[] }) {
  if (list.length === 0) return null;
  return (
    <ol class="lines">
      {list.map(({ at, tone, text, indent = 0 }, n) => (
        <li key={n} class={`tone ${tone}`}>
          {at === undefined ? null : <time class="dim mono">{formatClock(at)}</time>}
          <span style={{ paddingLeft: `${indent}em` }}>
            <Words text={text} />
          </span>
        </li>
      ))}
    </ol>
  );
}
