// The next step of the dialogue about a plan: who speaks next, or what happens to a draft. Pure, judged from the messages
// so far, so that a restart continues at the same step.
import type { FactOf } from '../../event.ts';
import { type DialogueFact, findDraft } from '../../journal/fold-dialogue.ts';

/** What the planner is told next: the dialogue's last message. */
export type Saying = FactOf<'question-answered'> | FactOf<'planner-corrected'> | FactOf<'draft-judged'>;

export type DialogueStep =
  /** It is the planner's turn; without `saying`, it begins. */
  | Readonly<{ do: 'hear'; saying?: Saying }>
  | Readonly<{ do: 'ask'; question: FactOf<'question-asked'> }>
  /** A draft goes back to the planner before a person sees it. */
  | Readonly<{
      do: 'correct';
      draft: FactOf<'draft-given'>;
      what: 'draft' | 'checks';
      problems: readonly string[];
    }>
  | Readonly<{ do: 'try-checks'; draft: FactOf<'draft-given'> }>
  | Readonly<{ do: 'show'; draft: FactOf<'draft-given'>; tried?: FactOf<'draft-checks-tried'> }>
  | Readonly<{ do: 'announce'; draft: number }>
  | Readonly<{ do: 'write'; writing: FactOf<'plan-writing'> }>
  | Readonly<{ do: 'end'; written?: FactOf<'plan-written'> }>;

/** How many of a planner's answers in a row are sent back before a person is asked again. */
export const mostCorrections = 3;

/** The next step after these messages. */
export function nextStep(words: readonly DialogueFact[]): DialogueStep {
  const last = words.at(-1);
  if (last === undefined) return { do: 'hear' };
  switch (last.type) {
    case 'question-asked':
      return { do: 'ask', question: last };
    case 'question-answered':
    case 'planner-corrected':
      return { do: 'hear', saying: last };
    case 'draft-given': {
      const problems = [...last.errors, ...last.notes];
      if (problems.length > 0 && mayCorrect(words, last))
        return { do: 'correct', draft: last, what: 'draft', problems };
      const isSound = last.checks > 0 && last.errors.length === 0;
      return isSound ? { do: 'try-checks', draft: last } : { do: 'show', draft: last };
    }
    case 'draft-checks-tried': {
      const draft = needDraft(words, last.draft);
      if (last.problems.length > 0 && mayCorrect(words, draft))
        return { do: 'correct', draft, what: 'checks', problems: last.problems };
      return { do: 'show', draft, tried: last };
    }
    case 'draft-judged':
      return afterJudgement(last);
    case 'plan-writing':
      return { do: 'write', writing: last };
    case 'plan-written':
      return { do: 'end', written: last };
  }
}

function afterJudgement(judged: FactOf<'draft-judged'>): DialogueStep {
  switch (judged.choice) {
    case 'accepted':
      return { do: 'announce', draft: judged.draft };
    case 'commented':
      return { do: 'hear', saying: judged };
    case 'rejected':
      return { do: 'end' };
  }
}

function mayCorrect(words: readonly DialogueFact[], { session }: FactOf<'draft-given'>): boolean {
  return session !== undefined && correctionsInRow(words) < mostCorrections;
}

/** Corrections since a person last said something. */
export function correctionsInRow(words: readonly DialogueFact[]): number {
  const since = words.findLastIndex(
    (word) =>
      word.type === 'question-answered' ||
      word.type === 'draft-judged' ||
      (word.type === 'draft-given' && word.session === undefined),
  );
  return words.slice(since + 1).filter(({ type }) => type === 'planner-corrected').length;
}

function needDraft(words: readonly DialogueFact[], number: number): FactOf<'draft-given'> {
  const draft = findDraft(words, number);
  if (!draft) throw new Error(`there is no draft ${number}`);
  return draft;
}
