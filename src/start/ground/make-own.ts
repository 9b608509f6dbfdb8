// Makes a run's own ground: a checkout of its branch with its own git folder, the plan, and configured untracked files.
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import type { Config } from '../../config/schema.ts';
import { digestText } from '../../digest.ts';
import { makeFolder, removeFile, removeOwnFolder } from '../../disk.ts';
import { Disposal } from '../../disposal.ts';
import { effect } from '../../effect.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import { sharedRef } from '../../git/lane/ground-home.ts';
import type { BranchChoice } from '../../git/place/choose-branch.ts';
import { copyBelow, makeFoldersBelow } from '../../git/place/untracked.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { changeRefs, listRefs, readRef } from '../../git/run/head.ts';
import { homeMark } from '../../git/run/home.ts';
import { rawOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { makeGround } from '../../ground/make.ts';
import { type ReservedGround, reserveGround } from '../../journal/grounds.ts';
import { branchName } from '../../plan/plan-name.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { writeFileAtomic } from '../../write-file.ts';
import type { CliContext } from '../context.ts';
import { realOf } from '../locate.ts';

/** PAWL_PORT_OFFSET of the n-th ground is n times this. */
const portStep = 100;

export type OwnGroundRequest = Readonly<{
  repo: Repo;
  config: Pick<Config, 'worktree'>;
  /** `name`: in the journal. */
  plan: Readonly<{ name: string; file: string }>;
  choice: BranchChoice;
  base: string;
  /** What it begins on; default: where the branch is. */
  commit?: string;
  /** The person's plan is newer than the branch's, and is copied. */
  takesPlan: boolean;
}>;

/** `reserved`: this process's until disposed. */
export type MadeGround = Readonly<{
  worktree: OwnWorktree;
  reserved: ReservedGround;
  /** `from`: checked out where it was started. Absent if the branch existed. */
  newBranch?: Readonly<{ branch: string; base: string; from: string }>;
}>;

/** Named for people; the digest distinguishes repositories of one name. */
export function groundsOf(state: string, home: string): string {
  const digest = digestText(home, 8);
  const top = path.basename(home) === '.git' ? path.dirname(home) : home;
  const name = path.basename(top).replace(/\.git$/, '') || 'repository';
  // git and places know only real paths.
  return realOf(path.join(state, 'grounds', `${name}-${digest}`));
}

/** On failure, and once `context.signal` is aborted, nothing is left of it. */
export async function makeOwnGround(context: CliContext, request: OwnGroundRequest): Promise<MadeGround> {
  const { repo, config, plan, choice, base } = request;
  const all = groundsOf(context.folders.state, repo.home);
  if (isAtOrBelow(all, repo.root))
    throw new Failure('preflight', `${all} is inside this repository`, {
      hint: 'The grounds of runs must be outside: set another folder with XDG_STATE_HOME.',
    });
  using stack = new Disposal();
  const reserved = stack.use(reserveGround(repo.home, { plan: plan.name, now: context.now() }));
  const root = makeRoot(all, branchName(plan.file).replaceAll('/', '-'));
  stack.defer(() => removeOwnFolder(path.dirname(root)));
  reserved.setRoot(root);
  const { branch, create } = choice;
  const head = create ? base : ((await readRef(repo, `refs/heads/${branch}`)) ?? base);
  const refs = { ...(await ownRefs(repo)), [sharedRef(branch)]: head };
  // Consent makes it the project's even if git does not know it.
  const files = findTrustFiles(repo.root).map((file) => rawOf(file.path));
  const { signal } = context;
  const commit = request.commit ?? head;
  await makeGround(repo, { ...config.worktree, folder: root, commit, branch, refs, files, signal });
  writeFileAtomic(path.join(root, '.git', homeMark), repo.home);
  if (request.takesPlan) {
    // First: behind a link would be a file that is not the ground's.
    makeFoldersBelow(root, path.dirname(plan.name));
    removeFile(path.join(root, plan.name));
    copyBelow(repo.root, root, rawOf(plan.name));
  }
  if (create) await createBranch(repo, branch, base);
  stack.move();
  return {
    reserved,
    ...(create ? { newBranch: { branch, base, from: readHead(repo).branch ?? base } } : {}),
    worktree: { path: root, from: repo.root, portOffset: reserved.number * portStep },
  };
}

/** An unguessable folder, and in it one that a person recognises. */
function makeRoot(all: string, name: string): string {
  makeFolder(all, 0o700);
  const folder = effect('file', 'folder of ground', () => mkdtempSync(path.join(all, 'run-')));
  return path.join(folder, name === '' ? 'run' : name);
}

async function createBranch(repo: Repo, branch: string, base: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  try {
    await changeRefs(repo, `branch ${branch}`, [{ ref, now: base, old: undefined }]);
  } catch (error) {
    if ((await readRef(repo, ref)) === undefined) throw error;
    throw new Failure(
      'preflight',
      `the branch ${branch} was made a moment ago, perhaps by another start of pawl`,
      { hint: 'See `pawl status`; if nothing is working on this plan, the same command continues.' },
    );
  }
}

/** Rescue points and work of an earlier life, but not where its branch was. */
async function ownRefs(repo: Repo): Promise<Readonly<Record<string, string>>> {
  const refs = await listRefs(repo, ['refs/pawl/']);
  return Object.fromEntries([...refs].filter(([ref]) => !/^refs\/pawl\/[^/]+\/head$/.test(ref)));
}
