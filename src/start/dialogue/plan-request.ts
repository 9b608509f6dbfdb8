// The request of `pawl plan`: words, a file, stdin or an issue.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { commandLine } from '../../event/dialogue.ts';
import { Failure, whyUnread } from '../../failure.ts';
import type { CliContext } from '../context.ts';
import { fetchIssue } from '../fetch-issue.ts';
import type { PlanOptions } from './plan-options.ts';

export type PlanRequest = Readonly<{ text: string; from: string }>;

const mostBytes = 1024 * 1024;

/** Throws a Failure unless exactly one non-empty request is given. */
export async function readRequest(
  context: CliContext,
  words: readonly string[],
  options: Pick<PlanOptions, 'from' | 'issue'>,
): Promise<PlanRequest> {
  const { from, issue } = options;
  const given = [
    ...(words.length > 0 ? [`“${words.join(' ')}”`] : []),
    ...(from === undefined ? [] : ['--from']),
    ...(issue === undefined ? [] : ['--issue']),
  ];
  const [one, other] = given;
  if (one === undefined)
    throw new Failure('usage', 'the request is missing: say what to plan', { hint: ways });
  if (other !== undefined)
    throw new Failure('usage', `${one} and ${other} both give a request`, {
      hint: `Leave one of them out.\n${ways}`,
    });
  const request = await read(context, words, options);
  if (request.text.trim() === '')
    throw new Failure('usage', `there is nothing to plan: ${request.from} is empty`, { hint: ways });
  return { ...request, text: `${request.text.trimEnd()}\n` };
}

const ways = [
  'pawl plan "add caching to the API"',
  'pawl plan --from notes.md      a spec, notes, or another plan',
  'pawl plan --issue 12           by gh',
  'pawl plan -                    from stdin',
  'pawl plan --resume             continues the last dialogue',
].join('\n');

async function read(
  context: CliContext,
  words: readonly string[],
  { from, issue }: Pick<PlanOptions, 'from' | 'issue'>,
): Promise<PlanRequest> {
  if (issue !== undefined)
    return { text: readIssue(await fetchIssue(context, issue)), from: `issue ${issue}` };
  if (from !== undefined && from !== '-') return { text: readFile(context, from), from };
  const [word = ''] = words;
  if (from === '-' || (words.length === 1 && word === '-'))
    return { text: decode(await buffer(context.stdin), 'stdin'), from: 'stdin' };
  return { text: words.join(' '), from: commandLine };
}

function readIssue(json: string): string {
  const { title = '', body = '', url = '' } = JSON.parse(json) as Partial<Record<string, string>>;
  return `# ${title}\n\n${body.replaceAll('\r\n', '\n')}\n\n(${url})\n`;
}

function readFile({ cwd }: CliContext, given: string): string {
  const file = path.resolve(cwd, given);
  try {
    return decode(readFileSync(file), given);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${given} cannot be read: ${whyUnread(error)}`, { cause: error, hint: ways });
  }
}

function decode(bytes: Buffer, name: string): string {
  if (bytes.length > mostBytes)
    throw new Failure('usage', `${name} is larger than a megabyte, which is too much for one plan`, {
      hint: 'Give only the part to do now, and mention the rest in it.',
    });
  if (!isUtf8(bytes))
    throw new Failure('usage', `${name} is not UTF-8 text`, { hint: 'Save it as UTF-8 and try again.' });
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
