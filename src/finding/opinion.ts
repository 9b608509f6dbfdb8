// Parses a reviewer's answer. Anything but the agreed forms is no opinion, never an empty one.
import type { z } from 'zod';
import {
  answersSchema,
  type Finding,
  type FixAnswer,
  noProof,
  type Opinion,
  opinionSchema,
} from '../event/finding.ts';
import { type Severity, severities } from '../event/severity.ts';
import { parseJson } from '../parse-json.ts';

/** `structured`: its value by schema; `text`: its last words. */
export type Answered = Readonly<{ structured?: unknown; text: string }>;

/** `problem`: what is wrong, to tell whoever gave the answer. */
export type Reading<T> = Readonly<{ value: T } | { problem: string }>;

/** `lines`: also what scripts print: `file:line - …` lines, or `NO ISSUES FOUND`. */
export function readOpinion(answered: Answered, { lines = false } = {}): Reading<Opinion> {
  const reading = readValue(answered, opinionSchema, 'findings');
  if ('value' in reading || !lines) return reading;
  const { text } = answered;
  const findings = text.split('\n').flatMap((line) => readLine(line) ?? []);
  const isNone = nothing.test(text) && jsonBlocks(text).length === 0;
  if (findings.length > 0 || isNone) return { value: { findings } };
  return { problem: 'it prints neither findings (file:line - …) nor NO ISSUES FOUND' };
}

/** Answers about other findings, and repeated ones, are left out. */
export function readAnswers(answered: Answered, asked: readonly string[]): Reading<readonly FixAnswer[]> {
  const reading = readValue(answered, answersSchema, 'answers');
  if ('problem' in reading) return reading;
  const { answers } = reading.value;
  const named = asked.flatMap((id) => answers.find(({ finding }) => finding === id) ?? []);
  const missing = asked.filter((id) => !named.some(({ finding }) => finding === id));
  const bare = named.filter(({ answer, reason }) => answer === 'rejected' && reason.trim() === '');
  if (missing.length > 0) return { problem: `nothing is said about ${missing.join(', ')}` };
  if (bare.length > 0)
    return { problem: `rejected without a reason: ${bare.map(({ finding }) => finding).join(', ')}` };
  return { value: named };
}

/** The last such block is the answer, even if broken: earlier ones may only quote the form. */
function readValue<T>(
  { structured, text }: Answered,
  schema: z.ZodType<T>,
  name: 'findings' | 'answers',
): Reading<T> {
  if (structured !== undefined) return check(structured, schema);
  const blocks = jsonBlocks(text);
  const meant = blocks.findLast((block) => block.includes(`"${name}"`)) ?? blocks.at(-1);
  return meant === undefined ? { problem: 'the answer holds no JSON' } : check(parseJson(meant), schema);
}

function check<T>(value: unknown, schema: z.ZodType<T>): Reading<T> {
  if (value === undefined) return { problem: 'the answer is not JSON' };
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return { problem: `${where}${issue?.message ?? 'not the wanted shape'}` };
}

/** In order; the whole text if it is one value. */
function jsonBlocks(text: string): readonly string[] {
  const blocks = fencedBlocks(text);
  const whole = text.trim();
  return blocks.length === 0 && whole.startsWith('{') ? [whole] : blocks;
}

type Fence = Readonly<{ marks: string; language: string; lines: string[] }>;

/**
 * Fences of JSON or no language. A line that opens a JSON fence does so even inside another, which may be quoted or
 * never closed. An unclosed last one extends to the end.
 */
function fencedBlocks(text: string): readonly string[] {
  const fences: Fence[] = [];
  let open: Fence | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, marks, language = ''] = /^[ \t]*(`{3,}|~{3,})[ \t]*([^`]*?)[ \t]*$/.exec(line) ?? [];
    const isEnd = open !== undefined && language === '' && marks?.startsWith(open.marks);
    if (isEnd) open = undefined;
    else if (marks !== undefined && (open === undefined || isJson(language))) {
      open = { marks, language, lines: [] };
      fences.push(open);
    } else open?.lines.push(line);
  }
  return fences
    .filter(({ language }) => language === '' || isJson(language))
    .map(({ lines }) => lines.join('\n'));
}

function isJson(language: string): boolean {
  return /^jsonc?$/i.test(language);
}

const nothing = /^\W*no issues found\W*$/im;

const bullet = /^[\s*•-]*(?:\d{1,4}[.)]\s+)?[\s*]*/;
const finding = /^[\s*-]*`?([^\s:`][^:`\n]*):(\d+)(?::\d+)?`?\s*(?:[-–—:]\s*)(.+)$/;

/** `[major]` or `major:` at its beginning counts; else it is major. */
function readLine(line: string): Finding | undefined {
  const before = readSeverity(line.replace(bullet, ''));
  const [, file, number, words = ''] = finding.exec(before.rest) ?? [];
  if (file === undefined) return undefined;
  const { severity = before.severity, rest: title } = readSeverity(words);
  if (title.trim() === '') return undefined;
  return {
    file: file.trim(),
    line: Number(number),
    severity: severity ?? 'major',
    title: title.trim(),
    evidence: '',
    suggestion: '',
    proof: noProof,
  };
}

function readSeverity(text: string): Readonly<{ severity?: Severity; rest: string }> {
  const [mark, word] = /^[[(]?(\w+)[\])]?[:\s]\s*/.exec(text) ?? [];
  const severity = severities.find((name) => name === word?.toLowerCase());
  return severity === undefined ? { rest: text } : { severity, rest: text.slice(mark?.length ?? 0) };
}
