// Creates a working tree for a run: a slot, a branch, the plan as in the person's tree, and the untracked files the
// settings name.

import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import type { Config } from '../../config/schema.ts';
import { removeFile } from '../../disk.ts';
import { Disposal } from '../../disposal.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import type { BranchChoice } from '../../git/place/choose-branch.ts';
import { copyBelow, findUntracked, makeFoldersBelow } from '../../git/place/untracked.ts';
import { addWorktree } from '../../git/place/worktree.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { rawOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readEntry } from '../../git/tree/entry.ts';
import { branchName } from '../../plan/branch.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { writeFileAtomic } from '../../write-file.ts';
import type { CliContext } from '../context.ts';
import { listSlots, type OwnSlot, reserveSlot, slotsFolder } from './slot.ts';

/** PAWL_PORT_OFFSET of the first tree; the n-th has n times as much. */
const portStep = 100;

/** What a tree is made from. */
export type TreeRequest = Readonly<{
  /** The tree the run was started from. */
  repo: Repo;
  config: Pick<Config, 'worktree'>;
  /** Its name in the journal, and its file. */
  plan: Readonly<{ name: string; file: string }>;
  choice: BranchChoice;
  /** Commit of a new branch. */
  base: string;
  /** The plan in the person's tree is newer than the branch's, so it is copied into the tree. */
  takesPlan: boolean;
}>;

/** A tree that was made, and its slot, which is this process's until disposed. */
export type MadeTree = Readonly<{
  worktree: OwnWorktree;
  slot: OwnSlot;
  /** The branch that was made for it, and the one checked out where it was started; absent if it already existed. */
  newBranch?: Readonly<{ branch: string; base: string; from: string }>;
}>;

/** Makes it; if that fails, leaves whatever cannot be proven to be worthless. */
export async function makeTree(context: CliContext, request: TreeRequest): Promise<MadeTree> {
  const { repo, config, plan, choice, base } = request;
  const all = slotsFolder(context.folders.state, repo.commonDir);
  if (isAtOrBelow(all, repo.root))
    throw new Failure('preflight', `${all} is inside this repository`, {
      hint: 'Working trees of runs must be outside: set another folder with XDG_STATE_HOME.',
    });
  using stack = new Disposal();
  const name = branchName(plan.file).replaceAll('/', '-');
  const slot = stack.use(reserveSlot(all, { plan: plan.name, name, now: context.now() }));
  await addWorktree(repo, { folder: slot.tree, base, ...choice });
  // What the person consented to belongs to the project even if git does not know it.
  const trusted = findTrustFiles(repo.root).map((file) => rawOf(file.path));
  for (const raw of [...trusted, ...(await findUntracked(repo, config.worktree.copy))])
    copyBelow(repo.root, slot.tree, raw);
  if (request.takesPlan) putPlan(repo.root, slot.tree, plan.name);
  stack.move();
  return {
    slot,
    ...(choice.create
      ? { newBranch: { branch: choice.branch, base, from: readHead(repo).branch ?? base } }
      : {}),
    worktree: { path: slot.tree, from: repo.root, portOffset: slot.number * portStep },
  };
}

/** pawl's own tree at this path, unless a live pawl is just making it. */
export function findOwnTree({ folders }: CliContext, repo: Repo, root: string): OwnWorktree | undefined {
  const slot = listSlots(folders.state, repo.commonDir).find(({ tree }) => tree === root);
  return slot && !slot.maker
    ? { path: root, from: repo.root, portOffset: slot.number * portStep }
    : undefined;
}

function putPlan(from: string, to: string, name: string): void {
  const entry = readEntry(path.join(from, name));
  if (entry.kind !== 'file') return;
  makeFoldersBelow(to, path.dirname(name));
  const target = path.join(to, name);
  if (readEntry(target).kind === 'link') removeFile(target);
  writeFileAtomic(target, entry.bytes, entry.mode);
}
