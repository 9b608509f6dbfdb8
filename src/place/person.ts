// Who answers a planner.
import type { FactOf } from '../event.ts';

export type PersonsAnswer = Pick<FactOf<'dialogue-answered'>, 'answer' | 'by' | 'because'>;

export type DraftShown = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  file: string;
  /** Absent: its checks were not tried. */
  tried?: FactOf<'dialogue-tried'>;
}>;

/** `edited`: the text is used as it is. */
export type PersonsJudgement =
  | Readonly<{ choice: 'accepted' | 'rejected'; by: 'person' | 'default' }>
  | Readonly<{ choice: 'commented' | 'edited'; by: 'person'; text: string }>;

/** Why nobody answers now: the dialogue stops and can be continued. */
export type Silence = Readonly<{ silence: string; hint?: string }>;

export type Person = Readonly<{
  answer(question: FactOf<'dialogue-asked'>): Promise<PersonsAnswer | Silence>;
  judge(shown: DraftShown): Promise<PersonsJudgement | Silence>;
  /** Whether a planner's commands may run once, in a throw-away copy. */
  allowsChecks(commands: readonly string[]): Promise<boolean | Silence>;
}>;
