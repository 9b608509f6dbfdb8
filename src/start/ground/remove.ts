// Removes a ground or lane that nobody needs, once its person's repository holds what the branch lacks; else it stays.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { defined } from '../../defined.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { needFailure } from '../../failure.ts';
import { removeLane, saveLane } from '../../git/lane/save-lane.ts';
import { findIgnoredWork, judgeIgnored } from '../../git/place/ignored-work.ts';
import { changeRefs } from '../../git/run/head.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { groundAt } from '../../ground/make.ts';
import { forgetGround, listGrounds } from '../../journal/grounds.ts';
import { findHolder } from '../../journal/lock.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { type CliContext, print, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import { type GroundFolder, isWorthless, listGroundFolders, sizeOf, whyItStays } from './list.ts';
import type { MadeGround } from './make-own.ts';

/** `why` it stays; `saved`: the command that shows or restores it. */
export type Removed = Readonly<{ why?: string; saved?: string }>;

export function formatSaved(command: string): string {
  return `What was only there is saved: ${command}`;
}

/** Problems are reported as why it stays. */
export async function removeGround(repo: Repo, ground: GroundFolder): Promise<Removed> {
  try {
    const end = isWorthless(ground) ? {} : await save(repo, ground);
    if (end.why !== undefined) return end;
    removeLane(ground.root);
    if (ground.registered) forgetGround(ground.registered.folder);
    return end;
  } catch (error) {
    return { why: needFailure(error).message };
  }
}

async function save(repo: Repo, { root, lane, run }: GroundFolder): Promise<Removed> {
  const tree = groundAt(repo, root);
  const branch = run?.state?.started.branch;
  if (!existsSync(tree.gitDir)) return { why: unreadable };
  const from = run?.worktree?.from ?? repo.root;
  const ignored = await findIgnoredWork(tree, from).catch(() => undefined);
  const why = ignored ? judgeIgnored(ignored) : unreadable;
  if (!ignored || why !== undefined) return defined({ why });
  const name = run?.run ?? `ground-${path.basename(path.dirname(root))}`;
  const of = { run: name, number: lane, branch, from };
  const saved = await saveLane(repo, tree, { ...of, ignored: ignored.files });
  if (!saved) return { why: unreadable };
  if (saved.notHeld.length > 0)
    return { why: `some of it cannot be saved: ${fewOf(saved.notHeld.map((one) => one.file))}` };
  const files = [...saved.files, ...ignored.tops];
  return files.length === 0 ? {} : { saved: formatRestore(saved.oid, name, files) };
}

/** Such as after a new clone at the same path. */
const unreadable = 'git cannot read it: take what you need out of it, and remove it';

function formatRestore(oid: string, run: string, files: readonly string[]): string {
  const isPlain = files.length <= 5 && files.every((name) => /^[\w./@+-]+$/.test(name));
  return isPlain
    ? `pawl rescue restore ${oid.slice(0, 10)} --run ${run} ${files.join(' ')}`
    : `pawl rescue show ${oid.slice(0, 10)} --run ${run}`;
}

/** For a run that has not worked yet: its next start makes a ground by the settings of then. */
export async function removeUnworked(
  context: CliContext,
  repo: Repo,
  { root, state }: Readonly<{ root: string; state: RunState }>,
): Promise<void> {
  if (state.sessions.size > 0 || state.phasesEnded.includes('baseline')) return;
  const ground = listGroundFolders(context, repo.home).find((each) => each.root === root);
  if (ground && !findHolder(path.join(root, '.git'))) await removeGround(repo, ground);
}

/** Those that no run knows, and those of the plan's finished runs. */
export async function removeUnused(context: CliContext, repo: Repo, plan: string): Promise<void> {
  for (const ground of listGroundFolders(context, repo.home)) {
    if (ground.lane !== undefined || (ground.run && ground.run.started.plan !== plan)) continue;
    if (whyItStays(repo.home, ground) !== undefined) continue;
    const { saved } = await removeGround(repo, ground);
    if (saved !== undefined) printNote(context, formatSaved(saved));
  }
}

/** `context`: where the person is. */
export async function leaveGround(
  context: CliContext,
  worktree: OwnWorktree,
  state: RunState,
): Promise<void> {
  const { path: root } = worktree;
  const done = isFinished(state) && state.course.ended?.exit === 0;
  if (!done) return printNote(context, `Its checkout stays for the next start: ${root}`);
  const isInside = isAtOrBelow(context.cwd, root);
  const end = isInside ? { why: 'you are in it' } : await removeOwn(context, worktree);
  if (end.why !== undefined) return printNote(context, `Its checkout stays, ${end.why}: ${root}`);
  printNote(context, `Its checkout was removed; the work is on branch ${state.started.branch}.`);
  if (end.saved !== undefined) printNote(context, formatSaved(end.saved));
}

/** After a failed start: keeps a ground that a run knows, else removes it with its new branch. */
export async function giveGroundUp(
  context: CliContext,
  worktree: OwnWorktree,
  newBranch: MadeGround['newBranch'],
): Promise<void> {
  const { why } = await removeOwn(context, worktree, newBranch);
  if (why !== undefined) printNote(context, `Its checkout stays, ${why}: ${worktree.path}`);
}

async function removeOwn(
  context: CliContext,
  { path: root, from }: OwnWorktree,
  newBranch?: MadeGround['newBranch'],
): Promise<Removed> {
  const repo = await openPlainRepo(context, { root: from });
  const ground = listGroundFolders(context, repo.home).find((each) => each.root === root);
  if (!ground) return { why: 'it is not where pawl makes them' };
  const why = whyItStays(repo.home, ground);
  if (why !== undefined) return { why };
  const end = await removeGround(repo, ground);
  if (end.why !== undefined || !newBranch) return end;
  const { branch, base: old } = newBranch;
  await changeRefs(repo, `drop branch ${branch}`, [{ ref: `refs/heads/${branch}`, now: undefined, old }]);
  return end;
}

/** True if there was any to remove. */
export async function cleanGrounds(context: CliContext, repo: Repo, dryRun: boolean): Promise<boolean> {
  let removed = false;
  for (const ground of listGroundFolders(context, repo.home)) {
    const about = describe(ground);
    const stays = whyItStays(repo.home, ground);
    const end = stays !== undefined ? { why: stays } : dryRun ? {} : await removeGround(repo, ground);
    removed ||= end.why === undefined;
    if (end.why === undefined) print(context, `${dryRun ? 'would remove' : 'removed'}  ${about}`);
    else print(context, `kept  ${about}: ${end.why}`);
    if (end.saved !== undefined) print(context, formatSaved(end.saved));
  }
  for (const { root, maker, folder } of dryRun ? [] : listGrounds(repo.home))
    if (!maker && root !== undefined && !existsSync(root)) forgetGround(folder);
  return removed;
}

function describe({ root, run, lane }: GroundFolder): string {
  const of =
    run === undefined ? 'of no run' : `${lane === undefined ? 'of' : `lane ${lane} of`} run ${run.run}`;
  return `${root}  (${formatBytes(sizeOf(root))}, ${of})`;
}
