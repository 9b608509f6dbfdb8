// Asks a person at the terminal: yes or no, one of several, or what to do about red checks.
import { setImmediate } from 'node:timers/promises';
import { defined } from '../defined.ts';
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

/** Undefined after Ctrl-C. `options`: each with its label and a hint. */
export async function selectOne<Value extends string>(
  { stdin: input, stderr: output, signal }: CliContext,
  message: string,
  options: readonly (readonly [value: Value, label: string, hint?: string])[],
): Promise<Value | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const rows = options.map(([value, label, hint]) => ({
    value: value as string,
    label,
    ...defined({ hint }),
  }));
  const picked = await select({ message, options: rows, input, output, signal });
  return isCancel(picked) ? undefined : (picked as Value);
}

/** About checks red before any work. Ctrl-C means stop. */
export async function askRed(context: CliContext, commands: readonly string[]): Promise<RedAnswer> {
  await afterNotices();
  const them = commands.length === 1 ? 'it' : 'them';
  const message = `Red before any work, and no task names ${them}: ${commands.join('; ')}`;
  const answer = await selectOne<RedAnswer>(context, message, [
    ['known red', 'Known red', `this run shows ${them} and closes tasks all the same`],
    ['stop', 'Stop', `make ${them} green first; the same command continues`],
    ['continue', 'Continue', 'the first task must turn all green to close'],
  ]);
  return answer ?? 'stop';
}
