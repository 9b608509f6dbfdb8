// Checks the repository around the current folder: whether a run can work in it, and what might surprise.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readStages } from '../../config/stages.ts';
import { fewOf } from '../../git/run/names.ts';
import { formatCount } from '../../report/text/figure.ts';
import { missingOf, placeOf } from '../../start/check-programs.ts';
import { isTrusted, readTrust, type TrustSeen } from '../../start/consent.ts';
import { judgeSessions, purposesOf } from '../../start/judge-sessions.ts';
import { libraryOf } from '../../start/run-base.ts';
import { findOrphans, keptDays, listOwnRefs, readOwnRefs } from '../clean.ts';
import type { Checkup, DoctorEntry, DoctorTools } from './entry.ts';
import { fail, makeEntry, ok, unseen, warn } from './entry.ts';

export const repositoryEntries: readonly DoctorEntry[] = [
  makeEntry('repository', ({ place, git }) => lookRepository(place !== undefined, git), judgeRepository),
  makeEntry('branch', lookBranch, judgeBranch),
  makeEntry('tree', lookTree, judgeTree),
  makeEntry('clone', lookClone, judgeClone),
  makeEntry('checks', lookChecks, judgeChecks),
  makeEntry('reviews', lookSessions, judgeUnread),
  makeEntry('runs', lookRuns, judgeRuns),
  makeEntry('trust', ({ context, place }) => place && readTrust(context, place.root), judgeTrust),
];

type RepositorySeen = Readonly<{ inside: boolean; bare: boolean; head: boolean; said: string }>;

async function lookRepository(inside: boolean, git: DoctorTools['git']): Promise<RepositorySeen> {
  const answer = await git('rev-parse', '--is-bare-repository');
  const head = (await git('rev-parse', '--verify', '--quiet', 'HEAD')).code === 0;
  const said = answer.code === 0 ? '' : (answer.stderr.trim().split('\n')[0] ?? '');
  const bare = answer.stdout.trim() === 'true' || /cannot use bare repository/.test(said);
  return { inside, bare, head, said };
}

function judgeRepository({ inside, bare, head, said }: RepositorySeen): Checkup {
  if (bare)
    return fail(
      'this repository is bare: it has no files to work on',
      'Work in a clone or a working tree of it.',
    );
  if (!inside) return fail('this folder is in no git repository', 'git init && git add -A && git commit');
  if (said) return fail(`git refuses this repository: ${said}`, 'git status says what to do.');
  if (!head)
    return fail(
      'this repository has no commit yet',
      'git add -A && git commit: pawl needs something to go back to.',
    );
  return ok('a repository with commits');
}

type BranchSeen =
  | Readonly<{ branch: string; origin: boolean; originHead: string; operation: string | undefined }>
  | undefined;

async function lookBranch({ git, place }: DoctorTools): Promise<BranchSeen> {
  if (!place) return undefined;
  const branch = (await git('symbolic-ref', '--quiet', '--short', 'HEAD')).stdout.trim();
  const origin = (await git('config', '--get', 'remote.origin.url')).stdout.trim() !== '';
  const originHead = (
    await git('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
  ).stdout.trim();
  const operation = operations.find(([file]) => existsSync(path.join(place.gitDir, file)))?.[1];
  return { branch, origin, originHead, operation };
}

const operations = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

function judgeBranch(seen: BranchSeen): Checkup | undefined {
  if (!seen) return undefined;
  if (seen.operation) {
    return fail(
      `a ${seen.operation} is in progress`,
      `Finish it, or: git ${seen.operation} ${seen.operation === 'bisect' ? 'reset' : '--abort'}`,
    );
  }
  if (seen.branch === '')
    return fail('HEAD is detached: commits would belong to no branch', 'git switch -c some-branch');
  if (seen.origin && seen.originHead === '') {
    return warn(
      `on ${seen.branch}; origin/HEAD is not set, so the default branch is guessed`,
      'git remote set-head origin --auto',
    );
  }
  return ok(
    `on ${seen.branch}${seen.originHead ? `; default ${seen.originHead.replace(/^origin\//, '')}` : ''}`,
  );
}

async function lookTree({ git, place }: DoctorTools): Promise<readonly string[] | undefined> {
  if (!place) return undefined;
  const { stdout } = await git(
    'status',
    '--porcelain',
    '-z',
    '--untracked-files=no',
    '--ignore-submodules=all',
    '--no-renames',
  );
  return stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}

function judgeTree(dirt: readonly string[] | undefined): Checkup | undefined {
  if (!dirt) return undefined;
  if (dirt.length === 0) return ok('no uncommitted changes in tracked files');
  return warn(
    `uncommitted changes: ${fewOf(dirt)}`,
    'Commit or stash them before a run; the plan itself may be changed.',
  );
}

type CloneSeen = Readonly<{ shallow: boolean; sparse: boolean; submodules: boolean }> | undefined;

async function lookClone({ git, place }: DoctorTools): Promise<CloneSeen> {
  if (!place) return undefined;
  const shallow = (await git('rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';
  const sparse =
    (await git('config', '--type=bool', '--get', 'core.sparseCheckout')).stdout.trim() === 'true';
  return { shallow, sparse, submodules: existsSync(path.join(place.root, '.gitmodules')) };
}

function judgeClone(seen: CloneSeen): Checkup | undefined {
  if (!seen) return undefined;
  const odd = [
    ...(seen.shallow ? ['shallow (git fetch --unshallow)'] : []),
    ...(seen.sparse ? ['sparse (checks see only what is checked out)'] : []),
    ...(seen.submodules ? ['with submodules (their changes are not committed)'] : []),
  ];
  return odd.length > 0 ? warn(odd.join('; ')) : ok('complete');
}

type ChecksSeen = Readonly<{ count: number; missing: readonly string[]; where: string }>;

/** Those in the settings; `pawl lint` looks at a plan's own. */
async function lookChecks({ config, checks, context, place }: DoctorTools): Promise<ChecksSeen> {
  const missing = await missingOf(context, config, { root: place?.root ?? context.cwd, commands: checks });
  return { count: checks.length, missing, where: placeOf(config) };
}

function judgeChecks({ count, missing, where }: ChecksSeen): Checkup {
  if (count === 0)
    return ok('no default checks are configured, each plan defines its own; `pawl init` proposes some');
  if (missing.length === 0) return ok(`${formatCount(count, 'check')} in the settings`);
  return warn(
    `checks of the settings cannot run: there is no ${missing.join(', ')} ${where}`,
    'Install them there; a run is refused unless a task in its plan installs them.',
  );
}

/** Throws mistakes in prompts, reviewers and scripts. */
function lookSessions({ context, config, place }: DoctorTools): readonly string[] | 'untrusted' | undefined {
  if (!place) return undefined;
  if (!isTrusted(context, place.root)) return 'untrusted';
  const library = libraryOf(context, place.root);
  const stages = readStages(config.review.stages);
  return judgeSessions({ library, config, stages, root: place.root, env: context.env }, [
    ...purposesOf(config, { stages }),
    'plan',
  ]);
}

function judgeUnread(unread: readonly string[] | 'untrusted' | undefined): Checkup | undefined {
  if (!unread) return undefined;
  if (unread === 'untrusted')
    return unseen('not looked at yet: what this repository sets for them is not trusted', 'pawl trust');
  if (unread.length === 0) return ok('prompts, reviewers and scripts can be used');
  return warn(unread.join('; '), 'Rename or remove the files that are not used.');
}

const dayMs = 24 * 60 * 60 * 1000;

/** Refs that `pawl clean` would remove because their run has no folder: nothing else shows them. */
async function lookRuns({ context, git, place }: DoctorTools): Promise<number | undefined> {
  if (!place) return undefined;
  const refs = readOwnRefs((await git(...listOwnRefs)).stdout);
  const orphans = findOrphans(place, refs, context.now().getTime() - keptDays * dayMs);
  return orphans.reduce((sum, orphan) => sum + orphan.refs, 0);
}

function judgeRuns(refs: number | undefined): Checkup | undefined {
  if (refs === undefined) return undefined;
  if (refs === 0) return ok('no leftovers of old runs');
  return warn(`${formatCount(refs, 'ref')} left of runs that ended over ${keptDays} days ago`, 'pawl clean');
}

const agree = '`pawl trust` lists what would run or apply, and `pawl trust --yes` allows it.';

function judgeTrust(seen: TrustSeen | undefined): Checkup | undefined {
  if (!seen) return undefined;
  if (seen.links.length > 0)
    return fail(
      `links lead out of the repository: ${fewOf(seen.links)}`,
      'Put the files themselves there: a run is refused until then.',
    );
  if (seen.trusted) return ok('trusted as it is now');
  if (seen.since === undefined) return warn('not trusted yet; the next run will ask', agree);
  return warn(`changed since you trusted it: ${fewOf(seen.changed)}; the next run will ask`, agree);
}
