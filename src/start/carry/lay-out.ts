// Lays a carried run out in this repository. What an earlier life here never carried is kept first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile, removeOwnFolder } from '../../disk.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { worktreeOf } from '../../git/place/branches.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { findGone } from '../../git/restore/lost-objects.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { foldRun } from '../../journal/fold.ts';
import { inRun } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { parseJournal, readState } from '../../journal/read-journal.ts';
import { journalFile, runsFolder } from '../../journal/run-files.ts';
import type { RunState } from '../../journal/state.ts';
import type { CarriedRun } from '../../phase/carry/owner.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { rescueOptionsOf } from '../open-place.ts';
import { findWrong } from './find-carried.ts';

/** `local`: the run's earlier life here. */
export type LaidOut = CarriedRun &
  Readonly<{ journal: Buffer; state: RunState; local: RunState | undefined }>;

/** Reads all before anything changes; throws a Failure for anything that pawl would not have written. */
export async function readLaidOut(repo: Repo, carried: CarriedRun): Promise<LaidOut> {
  const { journal, facts, state } = readJournalOf(carried);
  const wrong = await findWrong(repo, carried, facts);
  if (wrong !== undefined) throw notTaken(carried, wrong);
  const folder = path.join(runsFolder(repo.home), carried.run);
  const local = existsSync(path.join(folder, journalFile)) ? readState(folder) : undefined;
  const [one, other] = [local?.started, state.started];
  // A name alone makes no run one's own.
  if (one && (one.at !== other.at || one.base !== other.base || one.plan !== other.plan))
    throw notTaken(carried, 'another run here has the same name');
  return { ...carried, journal, state, local };
}

/** With what its facts come to; throws a Failure if it is none. */
export function readJournalOf(
  carried: Pick<CarriedRun, 'run' | 'files'>,
): Readonly<{ journal: Buffer; facts: readonly Stamped<Fact>[]; state: RunState }> {
  const journal = carried.files.get(journalFile) ?? Buffer.alloc(0);
  const facts = parseJournal(journal.toString('utf8'), `the carried journal of ${carried.run}`);
  const state = foldRun(facts);
  if (state) return { journal, facts, state };
  throw notTaken(carried, 'its journal does not begin with its start');
}

function notTaken({ run }: Pick<CarriedRun, 'run'>, why: string): Failure {
  return new Failure('preflight', `run ${run} cannot be taken up from the remote: ${why}`, {
    hint: 'None of it was used.',
  });
}

/** Throws if the branch here is another's, or checked out in a tree that would not follow the run. */
export async function refuseBranch(
  repo: Repo,
  { branch, run, local }: Pick<LaidOut, 'branch' | 'run' | 'local'>,
  target: string,
): Promise<void> {
  const head = await readRef(repo, `refs/heads/${branch}`);
  if (head === undefined) return;
  const where = await worktreeOf(repo, branch);
  if (where !== '' && where !== repo.root)
    throw new Failure('preflight', `the branch ${branch} is checked out in ${where}`, {
      hint: `The run gets its own working tree: leave the branch there (git -C ${where} switch --detach), then take it up.`,
    });
  if (local || (await descends(repo, head, target))) return;
  throw new Failure('preflight', `the branch ${branch} here is not that of run ${run}`, {
    hint: `Rename it (git branch -m ${branch} ${branch}-old), then take the run up.`,
  });
}

export type LayOut = Readonly<{
  laidOut: LaidOut;
  now: Date;
  fact: Omit<FactOf<'carry-taken-up'>, 'type' | 'state' | 'rescue' | 'untracked' | 'gone'>;
}>;

/** `tree` must be clean and at the run's head. */
export async function layOut(tree: Repo, { laidOut, fact, now }: LayOut): Promise<void> {
  const untracked = await listUntracked(tree);
  const { run, files, state, work } = laidOut;
  const folder = path.join(runsFolder(tree.home), run);
  emptyFolder(folder, laidOut.journal);
  for (const [name, bytes] of files)
    if (name !== 'owner.json' && name !== journalFile) writeFileAtomic(path.join(folder, name), bytes, 0o600);
  writeFileAtomic(path.join(folder, inRun.taken), JSON.stringify(fact.worktree ?? null), 0o600);
  const index = path.join(folder, 'index');
  const reason = `the working tree as run ${run} was taken up`;
  const rescue = await saveRescue(tree, { ...rescueOptionsOf({ run, folder }), reason });
  if (work !== undefined)
    await restoreTree(tree, { tree: work, index, keep: new Set(untracked), rescue: rescue.oid });
  const gone = await findGone(tree, rescuesIn(state));
  writeFileAtomic(path.join(folder, journalFile), laidOut.journal, 0o600);
  using journal = new Journal(folder);
  const own = { rescue: rescue.oid, untracked: [...untracked], gone: [...gone] };
  journal.append({ type: 'carry', state: 'taken-up', ...fact, ...own }, now);
}

/**
 * Removes what an earlier life left for its next start. If its journal knows more than the carried one, all
 * of it moves into `left-1` and so on: its recordings' numbers will be reused.
 */
export function emptyFolder(folder: string, carried: Buffer): void {
  const file = path.join(folder, journalFile);
  const here = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (!carried.subarray(0, here.length).equals(here)) {
    const earlier = readdirSync(folder).filter((name) => name.startsWith('left-'));
    const aside = `${folder}.left`;
    moveFile(folder, aside);
    makeFolder(folder, 0o700);
    for (const name of earlier) moveFile(path.join(aside, name), path.join(folder, name));
    moveFile(aside, path.join(folder, `left-${earlier.length + 1}`));
  }
  for (const part of ['', inRun.sessions, inRun.checks]) makeFolder(path.join(folder, part), 0o700);
  const stays = new Set<string>([inRun.sessions, inRun.checks, inRun.report]);
  for (const name of readdirSync(folder))
    if (!stays.has(name) && !name.startsWith('left-')) removeOwnFolder(path.join(folder, name));
}

/** Of open tasks; they are never carried. */
function rescuesIn({ tasks, fixes }: RunState): readonly string[] {
  const works = [...tasks.values(), ...fixes.values()];
  return works.flatMap(({ work }) => (work.is === 'here' ? [] : (work.rescue ?? [])));
}
