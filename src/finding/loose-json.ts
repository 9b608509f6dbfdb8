// Parses JSON findings of scripts. A value with anything else in it is no answer.
import { z } from 'zod';
import { noProof, type Opinion, severitySchema } from '../event/finding.ts';
import type { Reading } from './reading.ts';

const words = z.string().trim().min(1);
const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

/** Linters say `path` and `message`. Without a severity it is major. */
const looseSchema = z
  .object({
    file: words.optional(),
    path: words.optional(),
    line: z.int().min(0).nullish(),
    severity: z.preprocess(lower, severitySchema).optional(),
    title: words.optional(),
    message: words.optional(),
    evidence: z.string().nullish(),
    suggestion: z.string().nullish(),
  })
  .transform((given, context) => {
    const { file = given.path, title = given.message } = given;
    if (file === undefined || title === undefined) {
      context.addIssue(file === undefined ? 'it names no file' : 'it has no title');
      return z.NEVER;
    }
    return {
      ...{ file, line: given.line ?? 0, severity: given.severity ?? ('major' as const), title },
      ...{ evidence: given.evidence ?? '', suggestion: given.suggestion ?? '', proof: noProof },
    };
  });

/**
 * From the last JSON value that is a list or has one; undefined without one. If the last block is broken
 * there is no answer.
 */
export function readLoose(text: string, fenced: readonly string[]): Reading<Opinion> | undefined {
  const meant = fenced.findLast((block) => /"findings"|^\s*\[/.test(block));
  if (meant !== undefined && listOf(meant) === undefined) return { problem: 'the answer is not JSON' };
  const list = [...fenced, ...bareAtEnd(text)].map(listOf).findLast((found) => found !== undefined);
  if (list === undefined) return undefined;
  const result = z.array(looseSchema).safeParse(list);
  if (result.success) return { value: { findings: result.data } };
  const [issue] = result.error.issues;
  return {
    problem: `${['findings', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not a finding'}`,
  };
}

function listOf(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    const { findings } = (value ?? {}) as Readonly<{ findings?: unknown }>;
    return Array.isArray(findings) ? findings : undefined;
  } catch {
    return undefined;
  }
}

/** From the first line that begins a list of objects, or an object; `[info] …` begins neither. */
function bareAtEnd(text: string): readonly string[] {
  const at = text.search(/^[ \t]*(?:\[[ \t]*(?:[{\]\r]|$)|\{[ \t]*(?:["}\r]|$))/m);
  return at < 0 ? [] : [text.slice(at)];
}
