// The dialogue of `pawl plan`: every message in order.
import type { FactOf } from '../event.ts';

/** `at`: absent before it is told. */
export type DialogueFact = FactOf<'dialogue'> & Readonly<{ at?: string }>;

/** Whoever continues after a rejection looks at the draft again. */
export function dialogueAnew(words: readonly DialogueFact[]): readonly DialogueFact[] {
  const last = words.at(-1);
  return last?.state === 'judged' && last.choice === 'rejected' ? words.slice(0, -1) : words;
}

/** In order: the first is draft 1. */
export function draftsOf(words: readonly DialogueFact[]): readonly FactOf<'dialogue-drafted'>[] {
  return words.filter((word) => word.state === 'drafted');
}

/** When a dialogue's question or draft was put to a person who has not answered yet. */
export function personsTurn(words: readonly DialogueFact[]): string | undefined {
  const last = words.at(-1);
  return last && ['asked', 'drafted', 'tried'].includes(last.state) ? last.at : undefined;
}
