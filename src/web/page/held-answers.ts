// Answers that are held back for some seconds, so that a slip of a finger can be undone.
import { signal } from '@preact/signals';
import type { Card } from '../view.ts';
import { put } from './controls.tsx';

/** Milliseconds. */
const heldMs = 5_000;

type Held = Readonly<{ answer: string; at: number; timer: number }>;

const held = signal<ReadonlyMap<string, Held>>(new Map());

const keyOf = ({ id }: Card, task: string): string => `${id} ${task}`;

/** The answer that is about to be given; `at`: when, epoch milliseconds. */
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
  const key = keyOf(card, task);
  const next = new Map(held.value);
  clearTimeout(next.get(key)?.timer);
  if (next.delete(key)) held.value = next;
}

// A tab that is closed meanwhile would lose the answer without a word.
addEventListener('beforeunload', (event) => {
  if (held.value.size > 0) event.preventDefault();
});
