// Folds the dialogue of `pawl plan`: every message in order. The planning phase decides what follows.
import type { Fact, FactOf } from '../event.ts';

export type DialogueFact = FactOf<'dialogue'>;

/** The dialogue after one more fact. After a rejection, whoever continues looks at the draft again. */
export function foldDialogue(words: readonly DialogueFact[], fact: Fact): readonly DialogueFact[] {
  const last = words.at(-1);
  if (fact.type === 'run-resumed')
    return last?.state === 'judged' && last.choice === 'rejected' ? words.slice(0, -1) : words;
  return fact.type === 'dialogue' ? [...words, fact] : words;
}

export function findDraft(
  words: readonly DialogueFact[],
  draft: number,
): FactOf<'dialogue-drafted'> | undefined {
  return words.filter((word) => word.state === 'drafted').find((word) => word.draft === draft);
}

/** How many drafts have been given so far. */
export function countDrafts(words: readonly DialogueFact[]): number {
  return words.filter(({ state }) => state === 'drafted').length;
}
