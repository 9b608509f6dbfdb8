// Fetches an issue with GitHub's `gh`, with its login and its choice of repository.
import { Failure } from '../failure.ts';
import type { CliContext } from './context.ts';
import { runGh } from './gh.ts';

const mostBytes = 8 * 1024 * 1024;

/** The issue as the JSON that `gh issue view --json` prints (gh 2.0 and later). */
export async function fetchIssue(context: CliContext, number: number): Promise<string> {
  const end = await runGh(context, {
    args: ['issue', 'view', String(number), '--json', 'number,title,body,url'],
    cwd: context.cwd,
    timeoutMs: 60_000,
    keepBytes: mostBytes,
  });
  context.signal.throwIfAborted();
  if (end.ended.code === 0) return end.stdout.text;
  const why = end.timedOut ? 'it did not answer within a minute' : end.stderr.text.trim();
  throw new Failure(
    'environment',
    `gh could not read issue ${number}: ${why || end.ended.startError?.message || 'no reason given'}`,
    { hint: 'Install and log in to gh, or save the body to a file: pawl import body.md -o plan.md' },
  );
}
