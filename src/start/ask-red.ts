// Asks a person what to do about checks that are red before any work.
import type { RedAnswer } from '../place/run.ts';
import { afterNotices } from './confirm.ts';
import type { CliContext } from './context.ts';

/** Ctrl-C means stop. */
export async function askRed(
  { stdin: input, stderr: output, signal }: CliContext,
  commands: readonly string[],
): Promise<RedAnswer> {
  const { isCancel, select } = await import('@clack/prompts');
  await afterNotices();
  const them = commands.length === 1 ? 'it' : 'them';
  const answer = await select<RedAnswer>({
    message: `Red before any work, and no task names ${them}: ${commands.join('; ')}`,
    options: [
      {
        value: 'known red',
        label: 'Known red',
        hint: `this run shows ${them} and closes tasks all the same`,
      },
      { value: 'stop', label: 'Stop', hint: `make ${them} green first; the same command continues` },
      { value: 'continue', label: 'Continue', hint: 'the first task must turn all green to close' },
    ],
    input,
    output,
    signal,
  });
  return isCancel(answer) ? 'stop' : answer;
}
