// Parses a planner's question: a JSON object, also as ralphex's prompts ask for it.
import { z } from 'zod';
import { defined } from '../defined.ts';
import type { FactOf } from '../event.ts';
import type { Reading } from '../finding/opinion.ts';
import { parseJson } from '../parse-json.ts';

/** Of two to four options, no two are alike; free text is always possible, so never one of them. */
export type Question = Omit<FactOf<'dialogue-asked'>, 'type' | 'state' | 'question' | 'session'>;

/** Characters of one part: it is read in a terminal. */
const mostText = 4_000;

const text = z.string().trim().max(mostText, `a part of the question has more than ${mostText} characters`);
const missing = 'the question itself is missing: put it into `question`';
const label = z.union([z.string(), z.number()]).transform(String).pipe(text.min(1));
const option = z.preprocess(
  (value) => (typeof value === 'object' ? value : { label: value }),
  z.object({ label, why: text.optional(), recommended: z.boolean().default(false) }),
);
const shape = z.object({
  header: text.optional(),
  question: z.string(missing).pipe(text.min(1, missing)),
  context: text.optional(),
  options: z
    .array(option, '`options` is missing: give a list of 2 to 4')
    .refine(({ length }) => length >= 2 && length <= 4, 'a question has 2 to 4 options, and no free answer')
    .refine(
      (all) => new Set(all.map((one) => one.label.toLowerCase())).size === all.length,
      'two options are alike: each must be a choice of its own',
    ),
});

/** A problem is worded so that it can be sent back. */
export function parseQuestion(block: string): Reading<Question> {
  const [, , fenced = block] = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1\s*$/.exec(block) ?? [];
  const value = parseJson(fenced);
  if (value === undefined) return { problem: 'the QUESTION block is not JSON' };
  const read = shape.safeParse(value);
  if (!read.success) return { problem: `the QUESTION block: ${z.prettifyError(read.error)}` };
  const { header, question, context, options } = read.data;
  const best = options.findIndex(({ recommended }) => recommended);
  return {
    value: {
      text: question,
      ...defined({ header: header || undefined, context: context || undefined }),
      options: options.map(({ label, why }, at) => ({
        label,
        ...defined({ why: why || undefined }),
        recommended: at === best,
      })),
    },
  };
}
