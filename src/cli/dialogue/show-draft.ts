// A draft as a person reads it: its text with what matters set off, then what pawl has to say about it.
import type { DraftShown } from '../../phase/person.ts';
import { diffLines } from '../../plan/line-diff.ts';
import type { Line } from '../../report/line.ts';
import { wordDiff, wordDraft } from '../../report/wording-draft.ts';

/** The whole draft and the notes on it. */
export function showDraft({ draft, text, tried }: DraftShown): readonly Line[] {
  return wordDraft({ draft, text, ...(tried ? { tried } : {}) });
}

/** The changed lines since the draft before. */
export function diffOf({ before = '', text }: DraftShown): readonly Line[] {
  return wordDiff(diffLines(before, text));
}
