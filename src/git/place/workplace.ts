// The repository's state before a run, and whether a run may start there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { findOperation, type Operation } from '../protect/snapshot.ts';
import { fewOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readStatus } from '../tree/status.ts';
import {
  type BranchFacts,
  type DefaultBranch,
  findDefaultBranch,
  listBranches,
  readBranches,
} from './branches.ts';

export type WorkplaceFacts = Readonly<{
  root: string;
  /** Empty if there is no commit yet. */
  head: string;
  /** Short name; undefined: detached. */
  branch: string | undefined;
  /** `Name <address>`; undefined if git does not know. */
  identity: string | undefined;
  operation: Operation | undefined;
  dirt: readonly string[];
  /** Not ignored, and without the plan. */
  untracked: readonly string[];
  /** Differs from what is committed, or is not committed at all. */
  planChanged: boolean;
  planIgnored: boolean;
  defaultBranch: DefaultBranch | undefined;
  branches: ReadonlyMap<string, BranchFacts>;
  tags: ReadonlySet<string>;
  /** Sentences; they prevent no run. */
  warnings: readonly string[];
}>;

/** `plan`: absolute path. */
export async function readWorkplace(
  repo: Repo,
  options: Readonly<{ plan?: string }> = {},
): Promise<WorkplaceFacts> {
  const plan = options.plan === undefined ? undefined : path.relative(repo.root, options.plan);
  const isInside = plan !== undefined && !plan.startsWith('..') && !path.isAbsolute(plan);
  const [{ head: at, entries }, refs, settings, identity, ignored] = await Promise.all([
    readStatus(repo),
    listBranches(repo),
    readSettings(repo),
    readIdentity(repo),
    isInside ? repo.git(['check-ignore', '--', plan], { okCodes: [0, 1] }) : '',
  ]);
  const { branch, commit: head = '' } = at;
  const { branches, remoteHeads, tags } = await readBranches(repo, refs, head);
  const others = entries.filter(({ file }) => file !== plan);
  const untracked = others.filter(({ kind }) => kind === 'untracked').map(({ file }) => file);
  return {
    root: repo.root,
    head,
    branch,
    identity,
    operation: findOperation(repo),
    dirt: others.filter(({ kind }) => kind === 'tracked' || kind === 'unmerged').map(({ file }) => file),
    untracked,
    planChanged: others.length < entries.length,
    planIgnored: ignored !== '',
    defaultBranch: findDefaultBranch({
      remoteHeads,
      configured: settings.get('init.defaultbranch'),
      branches: [...branches.keys()],
      current: branch,
    }),
    branches,
    tags,
    warnings: [...findWarnings(repo, settings), ...warnOfTag(branch, tags)],
  };
}

async function readSettings(repo: Repo): Promise<ReadonlyMap<string, string>> {
  const names = '^(init\\.defaultbranch|core\\.sparsecheckout|commit\\.gpgsign)$';
  const config = await repo.bytes(['config', '-z', '--get-regexp', names], { okCodes: [0, 1] });
  return new Map(splitNul(config).map((pair) => pair.split('\n', 2) as [string, string]));
}

/** To git, a name without a value is true. */
function isOn(settings: ReadonlyMap<string, string>, name: string): boolean {
  return settings.has(name) && !/^(?:false|no|off|0*)$/i.test(settings.get(name) ?? 'true');
}

/** Undefined unless git knows the committer too. */
async function readIdentity(repo: Repo): Promise<string | undefined> {
  const [committer, author] = await Promise.all(
    ['GIT_COMMITTER_IDENT', 'GIT_AUTHOR_IDENT'].map((name) => repo.git(['var', name], { okCodes: [0, 128] })),
  );
  return !committer || !author ? undefined : author.replace(/ \d+ [+-]\d+\s*$/, '');
}

/** Undefined: a run may start. What a `resuming` run's session left is restored, not refused. */
export function judgeWorkplace(
  facts: WorkplaceFacts,
  options: Readonly<{ resuming?: boolean }> = {},
): Failure | undefined {
  const refuse = (sentence: string, hint: string): Failure => new Failure('preflight', sentence, { hint });
  if (facts.head === '' && !options.resuming)
    return refuse(
      'the repository has no commit yet',
      'Commit what is there, even an empty README, and start again.',
    );
  if (facts.identity === undefined)
    return refuse(
      'git does not know who commits here',
      'git config --global user.name "Your Name" && git config --global user.email you@example.org',
    );
  if (options.resuming) return undefined;
  if (facts.operation !== undefined)
    return refuse(
      `a ${facts.operation} is in progress in ${facts.root}`,
      facts.operation === 'bisect'
        ? 'End it with `git bisect reset`, and start again.'
        : `End it with \`git ${facts.operation} --continue\` or \`--abort\`, and start again.`,
    );
  if (facts.branch === undefined)
    return refuse(
      'HEAD is detached, so commits would be on no branch',
      'Run `git switch -c <name>`, and start again.',
    );
  if (facts.dirt.length === 0) return undefined;
  return refuse(
    `the working tree has changes of its own: ${fewOf(facts.dirt, 10)}`,
    'Commit or stash them, and start again.',
  );
}

function findWarnings(repo: Repo, settings: ReadonlyMap<string, string>): readonly string[] {
  const isShallow = existsSync(path.join(repo.commonDir, 'shallow'));
  const hasSubmodules = existsSync(path.join(repo.root, '.gitmodules'));
  const signed =
    'commits are signed: the key must stay unlocked for the whole run, because a commit that cannot be signed ends it';
  return [
    ...(isShallow ? ['the clone is shallow: older history is not there for anyone to look at'] : []),
    ...(isOn(settings, 'core.sparsecheckout')
      ? ['the checkout is sparse: checks and agents do not see files outside it']
      : []),
    ...(isOn(settings, 'commit.gpgsign') ? [signed] : []),
    ...(hasSubmodules ? ['changes inside submodules are refused, not committed'] : []),
  ];
}

/** Commands that pawl prints name the branch alone. */
function warnOfTag(branch: string | undefined, tags: ReadonlySet<string>): readonly string[] {
  if (branch === undefined || !tags.has(branch)) return [];
  return [`a tag is named ${branch}, too: where a command of git’s takes a commit, write heads/${branch}`];
}
