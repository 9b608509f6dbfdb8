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

const fewest = 2;
const most = 4;
/** Characters of one part: it is read in a terminal. */
const mostText = 4_000;

const text = z.union([z.string(), z.number()]).transform((value) => String(value).trim());
const optional = text.optional().transform((value) => value || undefined);
const option = z.union(
  [
    text.transform((label) => ({ label, why: undefined, recommended: false })),
    z.object({ label: text, why: optional, recommended: z.boolean().default(false) }),
  ],
  'an option is neither text nor an object with a `label`',
);
const loose = z.object(
  {
    header: optional,
    question: z
      .string('the question itself is missing: put it into `question`')
      .trim()
      .min(1, 'the question itself is missing: put it into `question`'),
    context: optional,
    /** A label, or a number from 1. */
    recommended: optional,
    options: z.array(option, '`options` is missing: give a list of 2 to 4'),
  },
  'the QUESTION block holds no JSON object',
);

/** A problem is worded so that it can be sent back. */
export function parseQuestion(block: string): Reading<Question> {
  const bare = withoutFence(block.trim());
  if (bare === '') return { problem: 'the QUESTION block is empty' };
  const value = parseJson(bare);
  if (value === undefined) return { problem: 'the QUESTION block is not JSON' };
  const read = loose.safeParse(value);
  return read.success ? judge(read.data) : { problem: read.error.issues[0]?.message ?? 'it is no question' };
}

function judge({
  header,
  question,
  context,
  recommended,
  options,
}: z.output<typeof loose>): Reading<Question> {
  const offered = options.map(cleanOption).filter(({ label }) => !isOwnWords(label));
  if (offered.some(({ label }) => label === '')) return { problem: 'an option has no `label`' };
  const twice = offered.find(({ label }, at) => offered.findIndex((one) => isAlike(one.label, label)) < at);
  if (twice) return { problem: `the option “${twice.label}” appears twice` };
  if (offered.length < fewest || offered.length > most)
    return {
      problem: `a question has ${fewest} to ${most} options, and this one has ${offered.length}; a free answer is always possible, so do not list it`,
    };
  const parts = [question, context, ...offered.flatMap(({ label, why }) => [label, why])];
  if (parts.some((part) => (part?.length ?? 0) > mostText))
    return { problem: `a part of the question has more than ${mostText} characters: be brief` };
  return {
    value: { question, ...defined({ header, context }), options: withOneRecommended(offered, recommended) },
  };
}

const recommendedMark = /\s*[([]\s*recommended\s*[)\]]\s*/i;

function cleanOption({ label, why, recommended }: z.output<typeof option>): QuestionOption {
  return {
    label: label.replace(recommendedMark, ' ').trim(),
    ...defined({ why }),
    recommended: recommended || recommendedMark.test(label),
  };
}

function withOneRecommended(options: readonly QuestionOption[], named: string | undefined): QuestionOption[] {
  const byName = options.findIndex(
    ({ label }, at) => named !== undefined && (isAlike(label, named) || String(at + 1) === named),
  );
  const chosen = byName === -1 ? options.findIndex(({ recommended }) => recommended) : byName;
  return options.map((option, at) => ({ ...option, recommended: at === chosen }));
}

function isOwnWords(label: string): boolean {
  return /^(?:other|others|something else|none of (?:these|the above)|own words|type something)\W*(?:\(.*\))?\W*$/i.test(
    label,
  );
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function withoutFence(text: string): string {
  const fenced = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/.exec(text);
  return (fenced?.[2] ?? text).trim();
}
