// The next step of the dialogue about a plan. Pure: judged from the messages, so a restart continues at the same step.
import type { FactOf } from '../../event.ts';
import type { DialogueFact } from '../../journal/state.ts';

/** For the planner: the last message. */
export type Saying = FactOf<'dialogue-answered'> | FactOf<'dialogue-corrected'> | FactOf<'dialogue-judged'>;

type Draft = FactOf<'dialogue-drafted'>;

export type DialogueStep =
  /** Without `saying`, the planner begins. */
  | Readonly<{ do: 'hear'; saying?: Saying }>
  | Readonly<{ do: 'ask'; question: FactOf<'dialogue-asked'> }>
  /** Back to the planner, before a person sees the draft. */
  | Readonly<{ do: 'correct'; draft: Draft; what: 'draft' | 'checks'; problems: readonly string[] }>
  | Readonly<{ do: 'try-checks'; draft: Draft }>
  | Readonly<{ do: 'show'; draft: Draft; tried?: FactOf<'dialogue-tried'> }>
  | Readonly<{ do: 'write'; draft: Draft; at: string | undefined }>
  | Readonly<{ do: 'end' }>;

/** Corrections in a row before a person is asked again. */
export const mostCorrections = 3;

export function nextStep(words: readonly DialogueFact[]): DialogueStep {
  const last = words.at(-1);
  if (last === undefined) return { do: 'hear' };
  switch (last.state) {
    case 'asked':
      return { do: 'ask', question: last };
    case 'answered':
    case 'corrected':
      return { do: 'hear', saying: last };
    case 'drafted': {
      const problems = [...last.errors, ...last.notes];
      if (problems.length > 0 && mayCorrect(words, last))
        return { do: 'correct', draft: last, what: 'draft', problems };
      const isSound = last.checks > 0 && last.errors.length === 0;
      return isSound ? { do: 'try-checks', draft: last } : { do: 'show', draft: last };
    }
    case 'tried': {
      const draft = needDraft(words, last.draft);
      if (last.problems.length > 0 && mayCorrect(words, draft))
        return { do: 'correct', draft, what: 'checks', problems: last.problems };
      return { do: 'show', draft, tried: last };
    }
    case 'judged':
      if (last.choice === 'accepted')
        return { do: 'write', draft: needDraft(words, last.draft), at: last.at };
      return last.choice === 'rejected' ? { do: 'end' } : { do: 'hear', saying: last };
    case 'written':
      return { do: 'end' };
  }
}

/** Since a person last said something, as many as it may take. */
function mayCorrect(words: readonly DialogueFact[], { session }: Draft): boolean {
  const isPersons = (word: DialogueFact) =>
    ['answered', 'judged'].includes(word.state) || (word.state === 'drafted' && word.session === undefined);
  const since = words.findLastIndex(isPersons);
  const corrections = words.slice(since + 1).filter(({ state }) => state === 'corrected');
  return session !== undefined && corrections.length < mostCorrections;
}

function needDraft(words: readonly DialogueFact[], number: number): Draft {
  const draft = draftsOf(words)[number - 1];
  if (!draft) throw new Error(`there is no draft ${number}`);
  return draft;
}

/** In order: the first is draft 1. */
export function draftsOf(words: readonly DialogueFact[]): readonly FactOf<'dialogue-drafted'>[] {
  return words.filter((word) => word.state === 'drafted');
}
