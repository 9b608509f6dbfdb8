// Asks a person yes or no at the terminal.
import { setImmediate } from 'node:timers/promises';
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
