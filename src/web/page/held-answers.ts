// Answers held back for some seconds, so that a slip of a finger can be undone.
import { signal } from '@preact/signals';
import type { Card } from '../view.ts';
import { put } from './acts.tsx';

/** Milliseconds. */
const heldMs = 5_000;

/** `at`: when it is given, epoch milliseconds. */
type Held = Readonly<{ answer: string; at: number; timer: number }>;

const held = signal<ReadonlyMap<string, Held>>(new Map());

const keyOf = ({ id }: Card, task: string): string => `${id} ${task}`;

export function heldAnswer(card: Card, task: string): Held | undefined {
  return held.value.get(keyOf(card, task));
}

export function holdAnswer(card: Card, task: string, answer: string): void {
  undoAnswer(card, task);
  const give = (): void => {
    undoAnswer(card, task);
    void put(card, { do: 'answer', task, answer });
  };
  const entry = { answer, at: Date.now() + heldMs, timer: window.setTimeout(give, heldMs) };
  held.value = new Map(held.value).set(keyOf(card, task), entry);
}

export function undoAnswer(card: Card, task: string): void {
  const next = new Map(held.value);
  clearTimeout(next.get(keyOf(card, task))?.timer);
  if (next.delete(keyOf(card, task))) held.value = next;
}

// A closed tab would lose the answer without a word.
addEventListener('beforeunload', (event) => {
  if (held.value.size > 0) event.preventDefault();
});
