// `--pr`: opens a pull request for the run's branch with GitHub's gh 2 and the receipt as its text. Pushes a branch only if
// the remote already has it or with `--push`, and never with force.

import { exitCodes, Failure, needFailure } from '../failure.ts';
import type { DefaultBranch } from '../git/place/default-branch.ts';
import { listRemotes } from '../git/porcelain.ts';
import type { Repo } from '../git/run/repo.ts';
import type { RunState } from '../journal/state.ts';
import type { ProgramEnd } from '../process/run-program.ts';
import { type CliContext, printNote } from './context.ts';
import { runGh } from './gh.ts';

export type PullOptions = Readonly<{ pr?: boolean; push?: boolean }>;

export type PullBranch = Readonly<{ repo: Repo; branch: string; defaultBranch: DefaultBranch | undefined }>;

/** A pull request that can be made once the run has ended. */
export type Pull = Readonly<{ repo: Repo; branch: string; remote: string; isThere: boolean }>;

const mostText = 65_000;

/**
 * Checks whether a pull request will be possible; undefined if none is wanted. What is missing throws a Failure with its
 * remedy.
 */
export async function preparePull(
  context: CliContext,
  findBranch: () => PullBranch,
  { pr, push }: PullOptions,
): Promise<Pull | undefined> {
  if (!pr) return undefined;
  const { repo, branch, defaultBranch } = findBranch();
  if ((await gh(context, repo, { args: ['--version'] })).ended.startError !== undefined)
    throw new Failure('preflight', '--pr needs GitHub’s gh, which is not in PATH', {
      hint: 'Install it (https://cli.github.com) and run `gh auth login`; or leave out --pr: `pawl report` prints the text for a pull request.',
    });
  if (branch === defaultBranch?.name)
    throw new Failure(
      'preflight',
      `--pr needs a branch other than ${branch}, the target of the pull request`,
      { hint: 'Give one with --branch.' },
    );
  const remote = await findRemote(repo, branch);
  const isThere = await isOnRemote(repo, remote, branch);
  if (isThere || push) return { repo, branch, remote, isThere };
  throw new Failure('preflight', `--pr needs the branch ${branch} on ${remote}, where it does not exist`, {
    hint: `Add --push to push it when the run ends, or push it now: git push -u ${remote} ${branch}`,
  });
}

/** Makes the pull request of a run that has ended, and reports how that went; returns an exit code of its own. */
export async function openPull(
  context: CliContext,
  pull: Pull,
  { state, text }: Readonly<{ state: RunState; text: string }>,
): Promise<number> {
  if (!state.ended?.finished) {
    printNote(context, 'No pull request was made: the run is not finished.');
    return exitCodes.done;
  }
  try {
    await push(pull, state);
    printNote(context, await create(context, pull, { title: state.started.title, text }));
    return exitCodes.done;
  } catch (error) {
    const failure = needFailure(error);
    for (const words of [failure.message, ...(failure.hint ?? '').split('\n')]) printNote(context, words);
    return failure.exit;
  }
}

async function push({ repo, branch, remote, isThere }: Pull, { squashed }: RunState): Promise<void> {
  const upstream = isThere ? [] : ['--set-upstream'];
  const refs = `refs/heads/${branch}:refs/heads/${branch}`;
  const end = await repo.hooked('push', ['push', ...upstream, remote, refs], { input: '', env: {} });
  if (end.ended.code === 0) return;
  throw new Failure('git', `the branch ${branch} could not be pushed to ${remote}: ${lastWords(end)}`, {
    hint:
      isThere && squashed
        ? `The run’s commits were squashed, and ${remote} may still have the old ones, which pawl does not overwrite. To do it yourself: git push --force-with-lease ${remote} ${branch} && gh pr create --head ${branch}`
        : `Everything is committed. Once that is fixed: git push ${remote} ${branch} && gh pr create --head ${branch}`,
  });
}

async function create(
  context: CliContext,
  { repo, branch }: Pull,
  { title, text }: Readonly<{ title: string; text: string }>,
): Promise<string> {
  const known = await gh(context, repo, {
    args: ['pr', 'list', '--head', branch, '--state', 'open', '--json', 'url', '--jq', '.[0].url'],
  });
  const url = known.ended.code === 0 ? known.stdout.text.trim() : '';
  if (url !== '') return `The pull request has the new commits, and its text stays: ${url}`;
  const made = await gh(context, repo, {
    args: ['pr', 'create', '--head', branch, '--title', title, '--body-file', '-'],
    stdin: bound(text),
  });
  if (made.ended.code === 0) return `Pull request: ${made.stdout.text.trim().split('\n').at(-1) ?? ''}`;
  throw new Failure('environment', `gh could not open a pull request: ${lastWords(made)}`, {
    hint: `The branch is pushed. Once that is fixed: pawl report | gh pr create --head ${branch} --fill --body-file -`,
  });
}

async function findRemote(repo: Repo, branch: string): Promise<string> {
  const remotes = await listRemotes(repo);
  const own = (await repo.git(['config', '--get', `branch.${branch}.remote`], { okCodes: [0, 1] })).trim();
  const remote =
    remotes.find((name) => name === own) ?? remotes.find((name) => name === 'origin') ?? remotes[0];
  if (remote !== undefined) return remote;
  throw new Failure('preflight', '--pr needs a remote, and the repository has none', {
    hint: 'Add one with `git remote add origin <address>`, or leave out --pr.',
  });
}

async function isOnRemote(repo: Repo, remote: string, branch: string): Promise<boolean> {
  return (await repo.git(['ls-remote', remote, `refs/heads/${branch}`])).trim() !== '';
}

function gh(
  context: CliContext,
  { root: cwd, gitMs: timeoutMs }: Repo,
  given: Readonly<{ args: readonly string[]; stdin?: string }>,
): Promise<ProgramEnd> {
  return runGh(context, { cwd, timeoutMs, ...given });
}

function bound(text: string): string {
  if (text.length <= mostText) return text;
  const head = text.slice(0, mostText);
  return `${head.slice(0, head.lastIndexOf('\n'))}\n\nThe rest is in \`pawl report\`.\n`;
}

function lastWords({ timedOut, ended, output }: ProgramEnd): string {
  if (timedOut) return 'it did not end in time';
  const words = output.text.trim().split('\n').at(-1) ?? '';
  return words === '' ? `exit ${ended.code ?? ended.signal}` : words;
}
