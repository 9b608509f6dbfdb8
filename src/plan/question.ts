// Parses a planner's question: a JSON object, also in the form ralphex's prompts ask for, or lines with a list of options.
// Anything else is rejected with a reason.

import type { Reading } from '../finding/reading.ts';
import { parseJson } from '../parse-json.ts';
import { type LooseQuestion, readOptionLines } from './question-lines.ts';

export type QuestionOption = Readonly<{
  label: string;
  /** The argument for it, or what it means; absent if not given. */
  why?: string;
  /** The planner recommends it; true for one option at most. */
  recommended: boolean;
}>;

export type Question = Readonly<{
  /** A word or two that name the subject; absent: none. */
  header?: string;
  question: string;
  /** What the planner found out that the question is based on; absent: nothing. */
  context?: string;
  /** Two to four, no two alike. Free text is always possible too, so that is never one of them. */
  options: readonly QuestionOption[];
}>;

const fewest = 2;
const most = 4;
/** Longest text of one part, in characters: a question is read in a terminal. */
const mostText = 4_000;

/** Parses the text of a `QUESTION` block; a problem is worded so that it can be sent back. */
export function parseQuestion(text: string): Reading<Question> {
  const bare = withoutFence(text.trim());
  if (bare === '') return { problem: 'the QUESTION block is empty' };
  if (!/^[{[]/.test(bare)) return judge(readOptionLines(bare));
  const value = parseJson(bare);
  if (value === undefined) return { problem: 'the QUESTION block starts like JSON but is not JSON' };
  const loose = readLoose(value);
  return 'problem' in loose ? loose : judge(loose.value);
}

/** The option that is taken if nobody is asked: the recommended one, else the first. */
export function preferredOption({ options }: Question): QuestionOption {
  const option = options.find(({ recommended }) => recommended) ?? options[0];
  if (!option) throw new Error('a question has options');
  return option;
}

function judge(loose: LooseQuestion): Reading<Question> {
  const question = loose.question.trim();
  if (question === '') return { problem: 'the question itself is missing: put it into `question`' };
  const offered = loose.options.map(cleanOption).filter(({ label }) => !isOwnWords(label));
  if (offered.some(({ label }) => label === '')) return { problem: 'an option has no `label`' };
  const twice = offered.find(({ label }, at) => offered.findIndex((one) => isAlike(one.label, label)) < at);
  if (twice) return { problem: `the option “${twice.label}” appears twice` };
  if (offered.length < fewest || offered.length > most)
    return {
      problem: `a question has ${fewest} to ${most} options, and this one has ${offered.length}; a free answer is always possible, so do not list it`,
    };
  const parts = [question, loose.context, ...offered.flatMap(({ label, why }) => [label, why])];
  if (parts.some((part) => (part?.length ?? 0) > mostText))
    return { problem: `a part of the question has more than ${mostText} characters: be brief` };
  const { header, context } = loose;
  return {
    value: {
      ...(header?.trim() && { header: header.trim() }),
      question,
      ...(context?.trim() && { context: context.trim() }),
      options: withOneRecommended(offered, loose.recommended?.trim()),
    },
  };
}

const recommendedMark = /\s*[([]\s*recommended\s*[)\]]\s*/i;

function cleanOption({ label, why, recommended }: LooseQuestion['options'][number]): QuestionOption {
  const isMarked = recommendedMark.test(label);
  const reason = why?.trim() ?? '';
  return {
    label: label.replace(recommendedMark, ' ').trim(),
    ...(reason !== '' && { why: reason }),
    recommended: isMarked || recommended === true,
  };
}

function withOneRecommended(options: readonly QuestionOption[], named: string | undefined): QuestionOption[] {
  const byName = options.findIndex(
    ({ label }, at) => named !== undefined && (isAlike(label, named) || String(at + 1) === named),
  );
  const chosen = byName === -1 ? options.findIndex(({ recommended }) => recommended) : byName;
  return options.map((option, at) => ({ ...option, recommended: at === chosen }));
}

/** An option that only says "none of these". */
function isOwnWords(label: string): boolean {
  return /^(?:other|others|something else|none of (?:these|the above)|own words|type something)\W*(?:\(.*\))?\W*$/i.test(
    label,
  );
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function readLoose(value: unknown): Reading<LooseQuestion> {
  const questions = Array.isArray(value) ? value : isObject(value) && value['questions'];
  if (Array.isArray(questions)) {
    if (questions.length !== 1)
      return { problem: `one question at a time, and these are ${questions.length}: ask the most important` };
    return readLoose(questions[0]);
  }
  if (!isObject(value)) return { problem: 'the QUESTION block holds no JSON object' };
  const { question, options } = value;
  if (typeof question !== 'string')
    return { problem: 'the question itself is missing: put it into `question`' };
  if (!Array.isArray(options)) return { problem: '`options` is missing: give a list of 2 to 4' };
  const read = options.map(readOption);
  if (read.some((option) => option === undefined))
    return { problem: 'an option is neither text nor an object with a `label`' };
  return {
    value: {
      question,
      ...textsOf(value, ['header', 'context', 'recommended']),
      options: read.flatMap((option) => option ?? []),
    },
  };
}

function readOption(option: unknown): LooseQuestion['options'][number] | undefined {
  if (typeof option === 'string' || typeof option === 'number') return { label: String(option) };
  if (!isObject(option)) return undefined;
  const { label } = textsOf(option, ['label', 'title', 'name', 'option'], 'label');
  const { why } = textsOf(option, ['why', 'description', 'reason'], 'why');
  if (label === undefined) return undefined;
  return { label, ...(why !== undefined && { why }), recommended: option['recommended'] === true };
}

/** The texts under some keys of an object; with `as`, the first of them under that name. */
function textsOf(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  as?: string,
): Record<string, string> {
  const found = keys.flatMap((key) => {
    const text = object[key];
    return typeof text === 'string' || typeof text === 'number' ? [[as ?? key, String(text)] as const] : [];
  });
  return Object.fromEntries(as === undefined ? found : found.slice(0, 1));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutFence(text: string): string {
  const fenced = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/.exec(text);
  return (fenced?.[2] ?? text).trim();
}
