// Discards a stopped run: git and plan go back. Its caller asks and locks.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { makeFolder } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { removeLane, type SavedLane, saveLane } from '../../git/lane/save-lane.ts';
import { listWorktrees } from '../../git/place/branches.ts';
import { findOperation, readHead } from '../../git/protect/snapshot.ts';
import { discardedRef, discardWork, findForeignCommits, tryDiscard } from '../../git/rescue/discard.ts';
import { type RescueOptions, saveRescue } from '../../git/rescue/rescue.ts';
import type { NotHeld } from '../../git/rescue/rescue-point.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import type { LoggedCommit } from '../../git/run/log.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listDirt, listUntracked } from '../../git/tree/tree.ts';
import { groundAt } from '../../ground/make.ts';
import { discardedCode } from '../../journal/state.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { isAside } from '../open/find-unfinished.ts';
import { movePlanBack, placePlan, writeReopened } from './restore-plan.ts';
import type { StillRun } from './undo-task.ts';

export type DiscardRequest = Readonly<{
  /** The run's tree; if that is gone, where the discard was asked for. */
  repo: Repo;
  /** The person's. */
  home: Repo;
  run: StillRun;
  rescue: Omit<RescueOptions, 'reason'>;
  /** The tree is removed too: no person works there. */
  ownTree: boolean;
}>;

type DiscardStarted = Omit<FactOf<'discard-started'>, 'type'>;

export type DiscardPlan = DiscardStarted &
  Readonly<{
    commits: number;
    files: readonly string[];
    saved?: string | undefined;
    lanes: readonly DiscardedLane[];
  }>;

/** Saves the work tree, changes nothing else. Throws whatever prevents a discard. */
export async function planDiscard(request: DiscardRequest): Promise<DiscardPlan> {
  const { repo, run, ownTree } = request;
  const { started, branchFrom, discard } = run.state;
  const lanes = await saveLanes(request);
  for (const { folder, saved } of lanes)
    if (saved && saved.notHeld.length > 0) throw cannotSave(folder, saved.notHeld);
  if (discard) return { ...discard, commits: 0, files: [], saved: discard.uncommitted, lanes };
  const { branch, base } = started;
  const locks = { branch, since: new Date(started.at) };
  await refuseInWork(request);
  if (!run.state.ended) await removeLocks(repo, locks);
  const head = await readRef(repo, `refs/heads/${branch}`);
  const isNew = branchFrom !== undefined && branchFrom !== branch;
  const commits = head === undefined ? 0 : await countOwn(repo, { base, head, branch });
  const to = { branch, ...defined({ head, back: isNew ? undefined : base }) };
  if (!ownTree && readHead(repo).branch !== branch) return { ...to, commits, files: [], lanes };
  const keep = await findKept(request);
  const oid = await saveTree(request);
  const files = [
    ...(await listDirt(repo)),
    ...(await listUntracked(repo)).filter((file) => !keep.includes(file)),
  ];
  const hasWork = files.length > 0 || (request.rescue.ignored ?? []).length > 0;
  const onto = isNew && !ownTree ? { onto: branchFrom } : {};
  if (isNew && !ownTree && (await readRef(repo, `refs/heads/${branchFrom}`)) === undefined)
    throw new Failure('preflight', `${branchFrom}, from which ${branch} was made, is gone`, {
      hint: 'Switch to the branch that should be checked out instead, and run the same command again.',
    });
  const plan = {
    ...to,
    ...(ownTree ? {} : { tree: { rescue: oid, ...onto, keep: [...keep] } }),
    ...(hasWork ? { uncommitted: oid } : {}),
  };
  await tryDiscard(repo, plan, { index: request.rescue.index });
  return { ...plan, commits, files, saved: oid, lanes };
}

/** Also the rest after a kill. Returns the ref that keeps the run's commits. */
export async function discardRun(
  { repo, run, rescue }: DiscardRequest,
  { commits: _, files: __, saved: ___, lanes, ...plan }: DiscardPlan,
  removeTree?: () => Promise<Repo>,
): Promise<string> {
  const { state } = run;
  if (!state.discard) run.append({ type: 'discard-started', ...plan });
  const there = removeTree ? await removeTree() : repo;
  await discardWork(there, plan, { run: run.id, index: rescue.index });
  for (const { lane, folder, saved } of lanes)
    if (saved) removeLane(folder, () => run.append({ type: 'lane', state: 'closed', lane }));
  if (!isAside(state.started)) await putPlanBack(there, run, plan.tree !== undefined);
  const kept = discardedRef(run.id);
  run.append({ type: 'intervention', kind: 'discard', text: 'the run was given up' });
  run.append({
    type: 'run-ended',
    exit: 130,
    reasons: [
      { exit: 130, code: discardedCode, text: `given up by a person; its commits are kept as ${kept}` },
    ],
    retryable: false,
    finished: true,
  });
  return kept;
}

export async function saveTree({ repo, rescue, ownTree }: DiscardRequest): Promise<string> {
  const { oid, notHeld } = await saveRescue(repo, { ...rescue, reason: 'as `pawl discard` found it' });
  if (ownTree && notHeld.length > 0) throw cannotSave(repo.root, notHeld);
  return oid;
}

function cannotSave(root: string, notHeld: readonly NotHeld[]): Failure {
  const names = notHeld.map(({ file, why }) => `${file} (${why})`);
  return new Failure('preflight', `${root} would be removed, and this cannot be saved: ${fewOf(names)}`, {
    hint: 'Move it elsewhere, then run the same command again.',
  });
}

async function refuseInWork({ repo, home, run, ownTree }: DiscardRequest): Promise<void> {
  const { started, worktree } = run.state;
  const operation = ownTree ? undefined : findOperation(repo);
  if (operation !== undefined) {
    const abort = operation === 'bisect' ? 'git bisect reset' : `git ${operation} --abort`;
    throw new Failure('preflight', `a ${operation} is in progress in ${repo.root}`, {
      hint: `Finish it or \`${abort}\`, then run the same command again.`,
    });
  }
  const own = new Set([repo.root, worktree?.path]);
  const trees = await listWorktrees(home);
  const other = trees.find(({ path, branch }) => branch === started.branch && !own.has(path));
  if (other)
    throw new Failure('preflight', `${started.branch} is checked out in ${other.path}`, {
      hint: `\`git -C ${other.path} switch --detach\` frees it; then run the same command again.`,
    });
}

/** How many commits go; throws Failure('preflight') if a person's would be lost. */
async function countOwn(repo: Repo, span: Parameters<typeof findForeignCommits>[1]): Promise<number> {
  const { base, head, branch } = span;
  if (!(await descends(repo, base, head)))
    throw new Failure(
      'preflight',
      `${branch} is no longer based on ${base.slice(0, 10)}, where the run began`,
      {
        hint: `Its history was rewritten: undo it by hand, \`git reset --keep ${base.slice(0, 10)}\`, or continue the run.`,
      },
    );
  const foreign = await findForeignCommits(repo, span);
  if (foreign.length > 0) throw hasOthers(branch, foreign);
  return Number((await repo.git(['rev-list', '--count', `${base}..${head}`])).trim());
}

function hasOthers(branch: string, commits: readonly LoggedCommit[]): Failure {
  const lines = commits.map(({ oid, message }) => `  ${oid.slice(0, 10)}  ${message.split('\n', 1)[0]}`);
  return new Failure(
    'preflight',
    [`these commits of ${branch} are not pawl’s, and on no other branch:`, ...lines].join('\n'),
    { hint: `\`git branch ${branch}-mine ${branch}\` keeps them; then run the same command again.` },
  );
}

/** All that is not the run's own work. After a crash nobody knows whose a file is. */
async function findKept({ repo, run, ownTree }: DiscardRequest): Promise<readonly string[]> {
  const { started, leftOut, ended } = run.state;
  const untracked = ownTree ? [] : await listUntracked(repo);
  if (ended?.tree === undefined) {
    const known = new Set([...started.untracked, ...leftOut]);
    return untracked.filter((file) => known.has(file) || file.endsWith('/'));
  }
  const listed = await repo.git(['ls-tree', '-r', '-z', '--name-only', ended.tree], { okCodes: [0, 128] });
  const work = new Set(listed.split('\0'));
  return untracked.filter((file) => !work.has(file));
}

/** As before the run: uncommitted if it was, its boxes open. */
async function putPlanBack(repo: Repo, run: StillRun, wentBack: boolean): Promise<void> {
  const { state } = run;
  const place = placePlan(repo, state);
  if (!place.tracked) {
    await movePlanBack(repo, place, run);
    const closed = [...state.tasks.values()].filter(({ closed }) => closed !== undefined).map(({ id }) => id);
    if (existsSync(place.file))
      writeReopened(place.file, {
        present: readPlanFile(place.file).text,
        before: undefined,
        reopened: closed,
      });
    return;
  }
  const commit = state.planCommitted?.oid;
  if (commit === undefined || state.started.worktree) return;
  // On another branch, what is there is the person's.
  if (!wentBack && existsSync(place.file)) return;
  const text = await repo.bytes(['cat-file', '--filters', `${commit}:${place.name}`], { okCodes: [0, 128] });
  if (text.length === 0) return;
  makeFolder(path.dirname(place.file));
  writePlanFile(place.file, text.toString('utf8'));
}

/** Without `saved`, git cannot read it, and its folder stays. */
type DiscardedLane = Readonly<{ lane: number; folder: string; saved?: SavedLane }>;

async function saveLanes({
  repo,
  run,
  rescue,
}: Readonly<{ repo: Repo; run: StillRun; rescue: Readonly<{ include: readonly string[] }> }>): Promise<
  readonly DiscardedLane[]
> {
  const { lanes, started } = run.state;
  const { include } = rescue;
  const found: DiscardedLane[] = [];
  for (const [lane, { folder }] of lanes) {
    if (!existsSync(folder)) continue;
    const saved = await saveLane(repo, groundAt(repo, folder), {
      run: run.id,
      number: lane,
      branch: started.branch,
      include,
    });
    found.push({ lane, folder, ...defined({ saved }) });
  }
  return found;
}
