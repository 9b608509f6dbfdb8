// Reads the file of `--answers`; plan/answers.ts parses it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, whyUnread } from '../failure.ts';
import { type Answers, parseAnswers } from '../plan/answers.ts';

/** How a file of answers begins, for those who have none yet. */
const example = 'e.g. a line “database: Postgres”, and “default: recommended” for all other questions';

/** The answers of a file, named from `cwd`; a file that cannot be read or understood is a usage failure with file and line. */
export function readAnswersFile(file: string, cwd: string): Answers {
  const reading = parseAnswers(readText(file, cwd));
  if ('answers' in reading) return reading.answers;
  const lines = reading.problems.map(({ line, column, text }) => `${file}:${line}:${column} ${text}`);
  const [first = ''] = lines;
  const sentence =
    lines.length === 1
      ? first
      : [`${lines.length} problems in the answers`, ...lines.map((line) => `  ${line}`)].join('\n');
  throw new Failure('usage', sentence, { hint: example });
}

function readText(file: string, cwd: string): string {
  try {
    return readFileSync(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Failure('usage', `${file} cannot be read: ${whyUnread(error)}`, {
      hint: example,
      cause: error,
    });
  }
}
