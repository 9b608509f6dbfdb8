// What a person can do to a run: its buttons, which of their forms is open, and the result of the last command.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { defined } from '../../defined.ts';
import type { WebCommand } from '../command-line.ts';
import type { Card } from '../view.ts';
import { type ServerReply, send } from './connection.ts';
import { CommandLine } from './small.tsx';
import { canAct } from './store.ts';

/** The open form: for which run, and what for. `at`: a task can be acted on in its row and where it needs a person. */
export const openForm = signal<
  Readonly<{ id: string; kind: FormKind; task?: string; at: FormPlace }> | undefined
>(undefined);

export type FormPlace = 'run' | 'task' | 'need';

export type FormKind = 'steer' | 'pause' | 'stop' | 'budget' | 'skip' | 'retry' | 'undo';

/** The answer to the last command, by run. */
const replies = signal<ReadonlyMap<string, ServerReply>>(new Map());

/** How long the answer to an accepted command stays, milliseconds. */
const shownMs = 30_000;

function forget(id: string, reply: ServerReply): void {
  if (replies.value.get(id) !== reply) return;
  const next = new Map(replies.value);
  next.delete(id);
  replies.value = next;
}

/** Sends a command to the run, and shows the result. */
export async function put(card: Card, command: WebCommand): Promise<boolean> {
  const reply = await send(card.id, command);
  replies.value = new Map(replies.value).set(card.id, reply);
  // The run itself will soon show what was done.
  if (reply.ok) setTimeout(() => forget(card.id, reply), shownMs);
  if (reply.ok) openForm.value = undefined;
  return reply.ok;
}

/** The result of the last command. */
export function LastReply({ card }: { card: Card }) {
  const reply = replies.value.get(card.id);
  if (!reply) return null;
  return (
    <div class={`reply ${reply.ok ? 'good' : 'bad'}`} role="status">
      <div>
        <p>{reply.ok ? reply.text : `Not done: ${reply.error}`}</p>
        {reply.hint === undefined ? null : <p class="dim">{reply.hint}</p>}
        {reply.command === undefined ? null : <CommandLine label="The same as" text={reply.command} />}
      </div>
      <button type="button" class="quiet" onClick={() => forget(card.id, reply)} aria-label="Close">
        ✕
      </button>
    </div>
  );
}

export function actsOf(card: Card): readonly FormKind[] {
  const isLive = card.isRunning || card.state === 'paused';
  if (card.state === 'finished' || card.state === 'discarded' || !card.isNewest) return [];
  return isLive
    ? ['steer', ...(card.state === 'paused' || card.pausing ? [] : (['pause'] as const)), 'stop', 'budget']
    : ['steer', 'budget'];
}

export const labels: Readonly<Record<FormKind, string>> = {
  steer: 'Steer',
  pause: 'Pause',
  stop: 'Stop',
  budget: 'Set budget',
  skip: 'Skip',
  retry: 'Retry',
  undo: 'Undo',
};

/** What is rarely wanted, or ends the work. */
const rareActs: ReadonlySet<FormKind> = new Set(['stop', 'budget']);

/** `children`: what stands at their end, for readers, too. */
export function RunButtons({ card, children }: { card: Card; children?: ComponentChildren }) {
  const canGoOn = canAct.value && (card.state === 'paused' || card.pausing);
  return (
    <div class="buttons">
      {canGoOn ? (
        <button type="button" class="primary" onClick={() => void put(card, { do: 'continue' })}>
          Continue
        </button>
      ) : null}
      <ActButtons card={card} fits={(kind) => !rareActs.has(kind)} />
      {children}
    </div>
  );
}

export function RareButtons({ card }: { card: Card }) {
  return <ActButtons card={card} fits={(kind) => rareActs.has(kind)} />;
}

function ActButtons({ card, fits }: { card: Card; fits: (kind: FormKind) => boolean }) {
  const { value } = openForm;
  return (canAct.value ? actsOf(card) : []).filter(fits).map((kind) => (
    <button
      type="button"
      key={kind}
      aria-pressed={value?.id === card.id && value.kind === kind && value.at === 'run'}
      onClick={() => toggleForm(card.id, kind)}
    >
      {labels[kind]}
    </button>
  ));
}

export function toggleForm(id: string, kind: FormKind, at: FormPlace = 'run', task?: string): void {
  const { value } = openForm;
  const isOpen = value?.id === id && value.kind === kind && value.task === task && value.at === at;
  openForm.value = isOpen ? undefined : { id, kind, at, ...defined({ task }) };
}
