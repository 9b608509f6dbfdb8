// Parts of a run's state that are read by themselves.
import type { FactOf, Stamped } from '../event.ts';

/** `check` turned green with changes of `files`; absent: an agent says it. */
export type Lesson = Readonly<{ task: string; says: string; check?: string; files: readonly string[] }>;

/** A person's, to agents; `session`: absent until delivered. */
export type Note = Readonly<{ note: number; text: string; now: boolean; task?: string; session?: number }>;

/** Without `ended` still to be completed. */
export type Replan = Readonly<{
  started: Stamped<FactOf<'replan-started'>>;
  /** What was last judged of its task's work. */
  tree?: string;
  taking?: FactOf<'replan-taking'>;
  ended?: FactOf<'replan-ended'>;
}>;

/** What a carried run knows about its remote. */
export type Carry = Readonly<{
  remote: string;
  job?: string;
  /** What its ref there last held, as far as known, and the branch's head in it. */
  oid?: string;
  head?: string;
  /** While the failure persists. */
  failed?: FactOf<'carry-failed'>;
  fenced?: FactOf<'carry-fenced'>;
  /** Machines, in order. */
  takenFrom: readonly string[];
}>;

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
