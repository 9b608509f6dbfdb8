// Fetches an issue with GitHub's `gh`, by its login and choice of repository.
import { Failure } from '../failure.ts';
import { runForgeProgram, whyNot } from '../forge/program.ts';
import type { CliContext } from './context.ts';
import { hostEnvironment } from './host.ts';

/** As `gh issue view --json` prints it (gh 2.0 and later). */
export async function fetchIssue(context: CliContext, number: number): Promise<string> {
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
