// Fetches an issue with GitHub's `gh`, by its login and choice of repository.
import { outerVariables } from '../agent/agents.ts';
import { Failure } from '../failure.ts';
import { runForgeProgram, whyNot } from '../forge/program.ts';
import { childEnvironment } from '../process/environment.ts';
import type { CliContext } from './context.ts';

/** As `gh issue view --json` prints it (gh 2.0 and later). */
export async function fetchIssue({ env, cwd, signal }: CliContext, number: number): Promise<string> {
  const tools = { cwd, signal, env: childEnvironment(env, { drop: outerVariables }) };
  const args = ['issue', 'view', String(number), '--json', 'number,title,body,url'];
  const end = await runForgeProgram('gh', args, tools);
  signal.throwIfAborted();
  if (end.ended.code === 0) return end.stdout.text;
  throw new Failure('environment', `gh could not read issue ${number}: ${whyNot(end)}`, {
    hint: 'Install and log in to gh, or save the body to a file: pawl import body.md -o plan.md',
  });
}
