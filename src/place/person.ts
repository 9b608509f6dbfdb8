// Who answers a planner: the interface between the dialogue and whoever speaks for the person.
import type { FactOf } from '../event.ts';

export type PersonsAnswer = Pick<FactOf<'dialogue-answered'>, 'answer' | 'by' | 'because'>;

export type DraftShown = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  file: string;
  /** The results of its checks; absent if they were not tried. */
  tried?: FactOf<'dialogue-tried'>;
}>;

/** The person's decision about a draft. `edited`: the text is used as it is. */
export type PersonsJudgement =
  | Readonly<{ choice: 'accepted' | 'rejected'; by: 'person' | 'default' }>
  | Readonly<{ choice: 'commented' | 'edited'; by: 'person'; text: string }>;

/** Nobody answers now, and why: the dialogue stops, and can be continued. */
export type Silence = Readonly<{ silence: string; hint?: string }>;

/** Whoever speaks for the person; each call may take as long as people do. */
export type Person = Readonly<{
  answer(question: FactOf<'dialogue-asked'>): Promise<PersonsAnswer | Silence>;
  judge(shown: DraftShown): Promise<PersonsJudgement | Silence>;
  /** Whether commands that a planner wrote may be run once, in a throw-away copy. */
  allowsChecks(commands: readonly string[]): Promise<boolean | Silence>;
}>;
