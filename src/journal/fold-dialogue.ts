// Folds the dialogue of `pawl plan`: every message in order. The planning phase decides what follows.
import type { dialogueFacts } from '../event/dialogue.ts';
import type { Fact, FactOf } from '../event.ts';

type DialogueType = (typeof dialogueFacts)[number]['shape']['type']['value'];

export type DialogueFact = FactOf<DialogueType>;

const types: Readonly<Record<DialogueType, true>> = {
  'question-asked': true,
  'question-answered': true,
  'draft-given': true,
  'planner-corrected': true,
  'draft-checks-tried': true,
  'draft-judged': true,
  'plan-writing': true,
  'plan-written': true,
};

/** The dialogue after one more fact. After a rejection, whoever continues looks at the draft again. */
export function foldDialogue(words: readonly DialogueFact[], fact: Fact): readonly DialogueFact[] {
  const last = words.at(-1);
  if (fact.type === 'run-resumed')
    return last?.type === 'draft-judged' && last.choice === 'rejected' ? words.slice(0, -1) : words;
  return isOfDialogue(fact) ? [...words, fact] : words;
}

function isOfDialogue(fact: Fact): fact is DialogueFact {
  return Object.hasOwn(types, fact.type);
}

export function findDraft(words: readonly DialogueFact[], draft: number): FactOf<'draft-given'> | undefined {
  return words.find((word) => word.type === 'draft-given' && word.draft === draft) as
    | FactOf<'draft-given'>
    | undefined;
}

/** How many drafts have been given so far. */
export function countDrafts(words: readonly DialogueFact[]): number {
  return words.filter(({ type }) => type === 'draft-given').length;
}
