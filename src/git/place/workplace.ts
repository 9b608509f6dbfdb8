// The repository's state before a run, and whether a run may start there.
import { existsSync } from 'node:fs';
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
  /** A tag hides the branch of its name where git takes a commit. */
  tags: ReadonlySet<string>;
  /** What a person should know before a night in it, in sentences. They prevent no run. */
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
      configured: settings.get('init.defaultbranch') ?? '',
      branches: [...branches.keys()],
      current: branch,
    }),
    branches,
    tags,
    warnings: findWarnings(repo, settings, tags.has(branch ?? '') ? branch : undefined),
  };
}

/** By lower-case name; the last of a name counts, one without a value is on. */
async function readSettings(repo: Repo): Promise<ReadonlyMap<string, string>> {
  const names = '^(init\\.defaultbranch|core\\.sparsecheckout|commit\\.gpgsign)$';
  const listed = await repo.git(['config', '-z', '--get-regexp', names], { okCodes: [0, 1] });
  return new Map(
    listed.split('\0').map((each) => {
      const [name = '', value = 'true'] = each.split('\n');
      return [name, value];
    }),
  );
}

function findWarnings(
  { commonDir, root }: Repo,
  settings: ReadonlyMap<string, string>,
  tagged: string | undefined,
): readonly string[] {
  const isOn = (name: string) => /^(?:true|yes|on|[1-9]\d*)$/i.test(settings.get(name) ?? '');
  const warnings: readonly (readonly [boolean, string])[] = [
    [
      existsSync(path.join(commonDir, 'shallow')),
      'the clone is shallow: older history is not there for anyone to look at',
    ],
    [isOn('core.sparsecheckout'), 'the checkout is sparse: checks and agents do not see files outside it'],
    [isOn('commit.gpgsign'), signed],
    [existsSync(path.join(root, '.gitmodules')), 'changes inside submodules are refused, not committed'],
    // Commands that pawl prints name the branch alone.
    [tagged !== undefined, `a tag is named ${tagged}, too: where git takes a commit, write heads/${tagged}`],
  ];
  return warnings.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}

const signed =
  'commits are signed: the key must stay unlocked for the whole run, because a commit that cannot be signed ends it';

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
