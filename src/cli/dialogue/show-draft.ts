// A draft, and the options of a question, as a person reads them: what matters is set off, and what pawl has to say follows.
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

/** An option of a question as a person reads it. */
export function wordOption({ label, why, recommended }: WordedOption): string {
  return `${label}${recommended ? ' (recommended)' : ''}${why === undefined ? '' : `: ${why}`}`;
}

type WordedOption = Readonly<{ label: string; why?: string | undefined; recommended: boolean }>;
