// Pushes a run's branch to the remote of its request, never with force, and only if the remote does not have the commit.
import { Failure } from '../../failure.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';
import type { ProgramEnd } from '../../process/run-program.ts';

/** Returns the commit that the remote has now. */
export async function pushBranch(
  { repo, remote }: Readonly<{ repo: Repo; remote: string }>,
  { started: { branch }, squashed }: Pick<RunState, 'started' | 'squashed'>,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const head = (await repo.git(['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  const there = (await repo.git(['ls-remote', remote, ref])).split('\t', 1)[0]?.trim() ?? '';
  if (there === head) return head;
  const upstream = there === '' ? ['--set-upstream'] : [];
  const args = ['push', ...upstream, remote, `${ref}:${ref}`];
  const end = await repo.hooked('push', args, { input: '', env: {} });
  if (end.ended.code === 0) return head;
  throw new Failure('git', `the branch ${branch} could not be pushed to ${remote}: ${lastWords(end)}`, {
    hint:
      there !== '' && squashed
        ? `The run’s commits were squashed, and ${remote} may still have the old ones, which pawl does not overwrite. To do it yourself: \`git push --force-with-lease ${remote} ${branch}\`; then run the same command again.`
        : `Everything is committed here, and nothing there was overwritten. If somebody has pushed to it, \`git pull --rebase ${remote} ${branch}\` takes that in; then run the same command again.`,
  });
}

function lastWords({ timedOut, ended, output }: ProgramEnd): string {
  if (timedOut) return 'it did not end in time';
  const lines = output.text.trim().split('\n');
  const refused = lines.find((line) => line.includes('[rejected]') || line.includes('[remote rejected]'));
  const words = refused?.trim() ?? lines.at(-1) ?? '';
  return words === '' ? `exit ${ended.code ?? ended.signal}` : words;
}
