// Parses a planner's question: a JSON object, also as ralphex's prompts ask for it.
import { z } from 'zod';
import { defined } from '../defined.ts';
import type { Reading } from '../finding/reading.ts';
import { parseJson } from '../parse-json.ts';

export type QuestionOption = Readonly<{
  label: string;
  why?: string;
  /** Of one option at most. */
  recommended: boolean;
}>;

export type Question = Readonly<{
  header?: string;
  question: string;
  context?: string;
  /** Two to four, no two alike; free text is always possible, so never one of them. */
  options: readonly QuestionOption[];
}>;

/** Characters of one part: it is read in a terminal. */
const mostText = 4_000;

const tooLong = `a part of the question has more than ${mostText} characters: be brief`;
const count = 'a question has 2 to 4 options; a free answer is always possible, so do not list it';
const text = z.string('the question itself is missing: put it into `question`').trim().max(mostText, tooLong);
const optional = text.optional().transform((value) => value || undefined);
const label = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().trim().min(1).max(mostText, tooLong));
const option = z.union(
  [
    label.transform((words) => ({ label: words, why: undefined, recommended: false })),
    z.object({ label, why: optional, recommended: z.boolean().default(false) }),
  ],
  'an option is neither text nor an object with a `label`',
);
const shape = z.object(
  {
    header: optional,
    question: text.min(1, 'the question itself is missing: put it into `question`'),
    context: optional,
    options: z.array(option, '`options` is missing: give a list of 2 to 4').min(2, count).max(4, count),
  },
  'the QUESTION block holds no JSON object',
);

/** A problem is worded so that it can be sent back. */
export function parseQuestion(block: string): Reading<Question> {
  const value = parseJson(withoutFence(block.trim()));
  if (value === undefined) return { problem: 'the QUESTION block is not JSON' };
  const read = shape.safeParse(value);
  if (!read.success) return { problem: read.error.issues[0]?.message ?? 'it is no question' };
  const { header, question, context, options } = read.data;
  const twice = options.find(
    ({ label: one }, at) => options.findIndex((other) => isAlike(other.label, one)) < at,
  );
  if (twice) return { problem: `the option “${twice.label}” appears twice` };
  const best = options.findIndex(({ recommended }) => recommended);
  return {
    value: {
      question,
      ...defined({ header, context }),
      options: options.map(({ label: words, why }, at) => ({
        label: words,
        ...defined({ why }),
        recommended: at === best,
      })),
    },
  };
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function withoutFence(block: string): string {
  const fenced = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/.exec(block);
  return (fenced?.[2] ?? block).trim();
}
