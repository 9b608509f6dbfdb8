// Who answers a planner: the interface between the dialogue and whoever speaks for the person.
import type { FactOf } from '../event.ts';

/** An answer, and where it comes from. */
export type PersonsAnswer = Pick<FactOf<'question-answered'>, 'answer' | 'by' | 'because'>;

/** A draft as it is put before a person. */
export type DraftShown = Readonly<{
  draft: FactOf<'draft-given'>;
  text: string;
  /** Absolute path of its file. */
  file: string;
  /** The draft shown before it; absent: it is the first. */
  before?: string;
  /** What came of its checks; absent: they were not looked at. */
  tried?: FactOf<'draft-checks-tried'>;
}>;

/** What is made of a draft. `edited`: the text is taken as it is. */
export type PersonsJudgement =
  | Readonly<{ choice: 'accepted' | 'rejected'; by: 'person' | 'default' }>
  | Readonly<{ choice: 'commented' | 'edited'; by: 'person'; text: string }>;

/** Nobody answers now, and why: the dialogue stands still, and can be continued. */
export type Silence = Readonly<{ silence: string; hint?: string }>;

/** Whoever speaks for the person; each word may take as long as people do. */
export type Person = Readonly<{
  answer(question: FactOf<'question-asked'>): Promise<PersonsAnswer | Silence>;
  judge(shown: DraftShown): Promise<PersonsJudgement | Silence>;
  /** Whether commands that a planner wrote may be run once, in a copy that is thrown away. */
  allowsChecks(commands: readonly string[]): Promise<boolean | Silence>;
}>;
