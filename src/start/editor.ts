// Opens one file in the user's editor.
import { spawn } from 'node:child_process';
import { Failure } from '../failure.ts';
import type { CliContext } from './context.ts';

/**
 * Waits until the person is done, in $VISUAL, $EDITOR or vi; throws Failure('environment') if the editor
 * fails.
 */
export async function openEditor(context: CliContext, file: string): Promise<void> {
  const named = context.env['VISUAL'] || context.env['EDITOR'];
  if (!named && !context.canAsk) {
    throw new Failure('usage', 'there is no terminal to edit in and $EDITOR is not set', {
      hint: 'Edit the file yourself while no run of it is active, or set EDITOR to a program that does it.',
    });
  }
  const editor = named || 'vi';
  // The shell splits words (`code --wait`). The editor must stay in our process group to have the terminal.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'editor', file], {
    cwd: context.cwd,
    env: { ...context.env },
    stdio: 'inherit',
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code === 0) return;
  throw new Failure(
    'environment',
    `the editor “${editor}” ended with ${code === null ? 'a signal' : `exit ${code}`}`,
    { hint: `Nothing was applied. If the editor saved what you wrote, it is in ${file}` },
  );
}
