// Asks a person at the terminal: yes or no, or what to do about red checks.
import { setImmediate } from 'node:timers/promises';
import type { RedAnswer } from '../place/run.ts';
import type { CliContext } from './context.ts';

/** Notices are flushed at the end of the event-loop turn, and must come before a question. */
export function afterNotices(): Promise<void> {
  return setImmediate();
}

/** Ctrl-C means no. `initially`: what Enter means. */
export async function isConfirmed(context: CliContext, message: string, initially = false): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const { stdin: input, stderr: output, signal } = context;
  const answer = await confirm({ message, initialValue: initially, input, output, signal });
  return !isCancel(answer) && answer;
}

/** About checks red before any work. Ctrl-C means stop. */
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
