// Pushes a run's branch to the remote of its request, never over what somebody else has there.
import { Failure } from '../../failure.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';
import type { ProgramEnd } from '../../process/run-program.ts';

/** `login`: variables by which git logs in; empty: as the person does. */
export type PushTarget = Readonly<{ repo: Repo; remote: string; login: Readonly<Record<string, string>> }>;

/** A stack's with a lease, else without force; returns the remote's commit now. */
export async function pushBranch(
  to: PushTarget & Readonly<{ stack: boolean }>,
  { started: { branch }, squashed, request }: Pick<RunState, 'started' | 'squashed' | 'request'>,
): Promise<string> {
  const { repo, remote } = to;
  const head = (await repo.git(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`])).trim();
  const hint = squashed
    ? `The run’s commits were squashed, and ${remote} may still have the old ones, which pawl does not overwrite. To do it yourself: \`git push --force-with-lease ${remote} ${branch}\`; then run the same command again.`
    : `Everything is committed here, and nothing there was overwritten. If somebody has pushed to it, ${takeIn(remote, branch)}`;
  const mine = to.stack ? request?.head : undefined;
  await pushRef(to, { branch, source: `refs/heads/${branch}`, head, mine, hint });
  return head;
}

/** Throws if the remote's branch has commits that are not here: later work could not be pushed. */
export async function refuseBehind(to: PushTarget, branch: string): Promise<void> {
  const { repo, remote } = to;
  const there = await readRemote(to, `refs/heads/${branch}`);
  if (there === '') return;
  const shared = await repo.git(['merge-base', there, `refs/heads/${branch}`], { okCodes: [0, 1, 128] });
  if (shared.trim() === there) return;
  throw new Failure('git', `${remote} has commits of ${branch} that are not here`, {
    hint: `Nothing was begun. ${takeIn(remote, branch)}`,
  });
}

function takeIn(remote: string, branch: string): string {
  return `\`git pull --rebase ${remote} ${branch}\` takes them in; then run the same command again.`;
}

export async function readRemote({ repo, remote, login: env }: PushTarget, ref: string): Promise<string> {
  return (await repo.git(['ls-remote', remote, ref], { env })).split('\t', 1)[0]?.trim() ?? '';
}

/** `mine`: what pawl pushed there and may replace; absent: nothing is replaced. */
export async function pushRef(
  to: PushTarget,
  given: Readonly<{
    branch: string;
    source?: string;
    head: string;
    mine?: string | undefined;
    hint?: string;
  }>,
): Promise<void> {
  const { branch, head, source = head, mine } = given;
  const ref = `refs/heads/${branch}`;
  const { repo, remote, login } = to;
  const there = await readRemote(to, ref);
  if (there === head) return;
  const upstream = there === '' && source === ref ? ['--set-upstream'] : [];
  const lease = mine === undefined ? [] : [`--force-with-lease=${ref}:${mine}`];
  // No hook of the repository sees a token.
  const hooks = Object.keys(login).length > 0 ? ['--no-verify'] : [];
  const args = ['push', ...hooks, ...upstream, ...lease, remote, `${source}:${ref}`];
  const end = await repo.hooked('push', args, { input: '', env: login });
  if (end.ended.code === 0) return;
  const hint = `Nothing there was overwritten. If somebody has pushed to it, move their commits to the run’s branch and delete ${branch} on ${remote}; then run the same command again.`;
  throw new Failure('git', `the branch ${branch} could not be pushed to ${remote}: ${lastWords(end)}`, {
    hint: given.hint ?? hint,
  });
}

function lastWords({ timedOut, ended, output }: ProgramEnd): string {
  if (timedOut) return 'it did not end in time';
  const lines = output.text.trim().split('\n');
  const refused = lines.find((line) => line.includes('[rejected]') || line.includes('[remote rejected]'));
  const words = refused?.trim() ?? lines.at(-1) ?? '';
  return words === '' ? `exit ${ended.code ?? ended.signal}` : words;
}
