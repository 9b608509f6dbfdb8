// Answers without a person: from a file of answers, then, with --yes, the planner's recommendation. Everything else is
// passed to the next answerer.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Person } from '../../place/person.ts';
import { type Answers, answerOf } from '../../plan/answers.ts';
import type { Question } from '../../plan/question.ts';

/** Answers from a file first, then asks the person `behind`. */
export function withAnswers(
  { answers, file }: Readonly<{ answers: Answers; file: string }>,
  behind: Person,
): Person {
  return {
    ...behind,
    answer: async (asked) => {
      const { header, text: question, options } = asked;
      const known = { ...defined({ header }), question, options };
      const found = answerOf(answers, known as Question, file);
      if (!found) return behind.answer(asked);
      return { answer: found.answer, by: 'file', because: found.because };
    },
  };
}

/** Says yes to everything but a plan that cannot be run. */
export function sayYes(): Person {
  return {
    answer: async (question) => prefer(question),
    judge: async ({ draft, file }) =>
      draft.errors.length === 0
        ? { choice: 'accepted', by: 'default' }
        : {
            silence: `draft ${draft.draft} has mistakes that the planner does not fix`,
            hint: `Look at ${file}; at a terminal, \`pawl plan --resume\` continues.`,
          },
    allowsChecks: async () => true,
  };
}

function prefer({ options }: FactOf<'question-asked'>) {
  const recommended = options.find((option) => option.recommended);
  const option = recommended ?? options[0];
  if (!option)
    return {
      answer: 'Nobody is there to answer. Decide as you would recommend, and say so under the assumptions.',
      by: 'default' as const,
      because: 'it has no options',
    };
  const because = recommended ? 'it is recommended' : 'it comes first, and none is recommended';
  return { answer: option.label, by: 'default' as const, because };
}

export function nobody(): Person {
  const hint = [
    'Give answers with --answers answers.yaml, or take what is recommended with --yes,',
    'or continue at a terminal.',
  ].join('\n');
  return {
    answer: async ({ question, text }) => ({ silence: `question ${question} has no answer: ${text}`, hint }),
    judge: async ({ draft, file }) => ({
      silence: `draft ${draft.draft} waits for your decision: ${file}`,
      hint,
    }),
    allowsChecks: async () => false,
  };
}
