// The repository's state before a run, and whether a run may start there.
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { findOperation, type Operation } from '../protect/snapshot.ts';
import { fewOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readStatus } from '../tree/status.ts';
import { type BranchFacts, findDefaultBranch, listBranches, readBranches } from './branches.ts';

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
  defaultBranch: string | undefined;
  branches: ReadonlyMap<string, BranchFacts>;
  tags: ReadonlySet<string>;
}>;

/** `plan`: absolute path. */
export async function readWorkplace(
  repo: Repo,
  options: Readonly<{ plan?: string }> = {},
): Promise<WorkplaceFacts> {
  const plan = options.plan === undefined ? undefined : path.relative(repo.root, options.plan);
  const isInside = plan !== undefined && !plan.startsWith('..') && !path.isAbsolute(plan);
  const [{ head: at, entries }, refs, configured, identity, ignored] = await Promise.all([
    readStatus(repo),
    listBranches(repo),
    repo.git(['config', '--get', 'init.defaultBranch'], { okCodes: [0, 1] }),
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
      configured: configured.trim(),
      branches: [...branches.keys()],
      current: branch,
    }),
    branches,
    tags,
  };
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
