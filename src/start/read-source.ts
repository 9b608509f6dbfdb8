// Reads what a plan is made of: a file, stdin, or an issue that GitHub's `gh` fetches by its login and choice of repository.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Failure, whyUnread } from '../failure.ts';
import { runForgeProgram, whyNot } from '../forge/program.ts';
import type { CliContext } from './context.ts';
import { hostEnvironment } from './host.ts';

const mostBytes = 1024 * 1024;

/** `-`: stdin. An issue is JSON. */
export async function readSource(
  context: CliContext,
  given: string | number,
): Promise<Readonly<{ text: string; from: string }>> {
  if (typeof given === 'number') return { text: await fetchIssue(context, given), from: `issue ${given}` };
  const from = given === '-' ? 'stdin' : given;
  const bytes =
    given === '-' ? await buffer(addAbortSignal(context.signal, context.stdin)) : readFile(context, given);
  if (bytes.length > mostBytes)
    throw new Failure('usage', `${from} is larger than a megabyte, which is too much for one plan`, {
      hint: 'Give only the part to do now, and mention the rest in it.',
    });
  if (!isUtf8(bytes))
    throw new Failure('usage', `${from} is not UTF-8 text`, { hint: 'Save it as UTF-8 and try again.' });
  return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), from };
}

function readFile({ cwd }: CliContext, given: string): Buffer {
  try {
    return readFileSync(path.resolve(cwd, given));
  } catch (cause) {
    throw new Failure('usage', `${given} cannot be read: ${whyUnread(cause)}`, { cause });
  }
}

/** As `gh issue view --json` prints it (gh 2.0 and later). */
async function fetchIssue(context: CliContext, number: number): Promise<string> {
  const { cwd, signal } = context;
  const tools = { cwd, signal, env: hostEnvironment(context) };
  const args = ['issue', 'view', String(number), '--json', 'number,title,body,url'];
  const end = await runForgeProgram('gh', args, tools);
  signal.throwIfAborted();
  if (end.ended.code === 0) return end.stdout.text;
  throw new Failure('environment', `gh could not read issue ${number}: ${whyNot(end)}`, {
    hint: 'Install and log in to gh, or save the body to a file: pawl import body.md -o plan.md',
  });
}
