// What a person searches for: in the items on the page, and in the journals of runs.
import { computed, signal } from '@preact/signals';
import type { Hit } from '../view.ts';
import { readFound } from './connection.ts';

export const search = signal('');

const words = computed(() => search.value.toLowerCase().split(/\s+/).filter(Boolean));

export function isSearched(text: string): boolean {
  const lower = text.toLowerCase();
  return words.value.every((word) => lower.includes(word));
}

/** Those whose texts match; all if none does, since a search is for runs too. */
export function searched<T>(all: readonly T[], textOf: (one: T) => string): readonly T[] {
  const fitting = all.filter((one) => isSearched(textOf(one)));
  return fitting.length > 0 ? fitting : all;
}

export const hits = signal<readonly Hit[]>([]);

/** Asks the server for the search words, a moment after the last keystroke. */
export function searchJournals(): (() => void) | undefined {
  const words = search.value.trim();
  if (words.length < 2) {
    hits.value = [];
    return undefined;
  }
  const stop = new AbortController();
  const ask = () =>
    readFound(words, stop.signal).then(
      (found) => {
        hits.value = found.hits;
      },
      () => {},
    );
  const timer = setTimeout(ask, 300);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
