// Switches branches. A file records the switch first: after a kill in the middle the tree is half of each branch, and the
// next start takes it back to the branch HEAD still names.

import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { readHead, readHeadCommit } from '../protect/snapshot.ts';
import { removeFiles, rewriteFiles } from '../rescue/rewrite.ts';
import { removeLocks } from '../run/lock-files.ts';
import { fewOf, nameOf, pathOf, quote, splitNul } from '../run/names.ts';
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from '../tree/entry.ts';
import { setIndex } from '../tree/index-file.ts';
import { readStatus } from '../tree/status.ts';

/**
 * Checks out the chosen branch, creating it first if requested. Untracked files and the plan's changes come along; if they
 * cannot, throws Failure('git').
 */
export async function switchBranch(
  repo: Repo,
  { branch, create }: Readonly<{ branch: string; create: boolean }>,
): Promise<void> {
  // In two steps: a kill or another git's lock between them leaves a branch on this very commit, which is what is wanted.
  if (create && !(await isOnHead(repo, branch)))
    // Without HEAD, git looks for what HEAD names, and finds a tag of that name too.
    await repo.write(`branch ${branch}`, ['branch', '-q', '--no-track', branch, 'HEAD']);
  const announced = announcementOf(repo);
  const { from, dirt } = await readChanged(repo);
  makeFolder(path.dirname(announced), 0o700);
  const said: Announcement = { branch, from, dirt, at: new Date().toISOString() };
  writeFileAtomic(announced, JSON.stringify(said));
  const args = ['switch', '-q', '--no-recurse-submodules', '--no-guess', branch];
  try {
    await repo.write(`switch to ${branch}`, args);
  } catch (error) {
    // A switch that git refused has changed nothing; one that was killed may have.
    if ((await readChanged(repo)).dirt.join('\0') === dirt.join('\0')) removeFile(announced);
    throw error;
  }
  removeFile(announced);
}

/** HEAD's commit, and changed tracked files, staged or not; raw names. */
async function readChanged(repo: Repo): Promise<Pick<Announcement, 'from' | 'dirt'>> {
  const { head, entries } = await readStatus(repo, { untracked: false });
  return { from: head.commit ?? '', dirt: entries.map(({ raw }) => raw) };
}

/** A switch that has begun. `dirt`: what was changed before it, raw names. */
type Announcement = Readonly<{ branch: string; from: string; dirt: readonly string[]; at: string }>;

function announcementOf({ gitDir }: Pick<Repo, 'gitDir'>): string {
  return path.join(gitDir, 'pawl', 'switching');
}

async function isOnHead(repo: Repo, branch: string): Promise<boolean> {
  const found = await repo.git(['for-each-ref', '--points-at=HEAD', `refs/heads/${branch}`]);
  return found !== '';
}

export function isSwitchCutOff(repo: Pick<Repo, 'gitDir'>): boolean {
  return existsSync(announcementOf(repo));
}

/**
 * Takes back a switch that was cut off: files of the other branch become this branch's again. Returns a sentence about it;
 * undefined if there was nothing to do. Throws Failure('preflight') if a file belongs to neither branch, because somebody
 * has changed it since. No other pawl may be working in the tree.
 */
export async function undoCutOffSwitch(repo: Repo): Promise<string | undefined> {
  const said = orElse(
    () => JSON.parse(readFileSync(announcementOf(repo), 'utf8')) as Announcement,
    undefined,
  );
  if (!said) return undefined;
  const { branch, from, dirt } = said;
  await removeLocks(repo, { branch, since: new Date(said.at) });
  const isMoved = readHead(repo).branch === branch || (await readHeadCommit(repo)) !== from;
  const undone = isMoved
    ? []
    : await undoSwitch(repo, { from, to: `refs/heads/${branch}`, dirt: new Set(dirt) });
  removeFile(announcementOf(repo));
  if (undone.length === 0) return undefined;
  return `a switch to ${branch} was cut off; what it had written was undone: ${fewOf(undone.map(nameOf))}`;
}

async function undoSwitch(
  repo: Repo,
  { from, to, dirt }: Readonly<{ from: string; to: string; dirt: ReadonlySet<string> }>,
): Promise<readonly string[]> {
  // git may already have written the other branch's index.
  await setIndex(repo, from);
  const theirs = await listBlobs(repo, to);
  const entries = (await readStatus(repo)).entries.filter(({ raw, kind, gitlink }) => {
    return !dirt.has(raw) && !gitlink && (kind === 'tracked' || theirs.has(raw));
  });
  const foreign = await findForeign(
    repo,
    theirs,
    entries.map(({ raw }) => raw),
  );
  if (foreign.length > 0) throw changedSince(to, foreign);
  const ofKind = (wanted: string) => entries.flatMap(({ kind, raw }) => (kind === wanted ? raw : []));
  removeFiles(repo, ofKind('untracked'));
  await rewriteFiles(repo, path.join(repo.gitDir, 'index'), ofKind('tracked'));
  return entries.map(({ raw }) => raw);
}

/** Object ids of a branch's files, by raw name. */
async function listBlobs(repo: Repo, ref: string): Promise<ReadonlyMap<string, string>> {
  const records = splitNul(await repo.bytes(['ls-tree', '-r', '-z', ref]));
  return new Map(
    records.map((record): [string, string] => {
      const at = record.indexOf('\t');
      return [record.slice(at + 1), record.slice(0, at).split(' ')[2] ?? ''];
    }),
  );
}

/**
 * Files that a switch cannot have left like this: they exist and are neither the other branch's version nor the beginning
 * of it.
 */
async function findForeign(
  repo: Repo,
  theirs: ReadonlyMap<string, string>,
  raws: readonly string[],
): Promise<readonly string[]> {
  const there = raws.filter((raw) => statAt(repo.root, raw) !== undefined);
  const files = there.filter((raw) => statAt(repo.root, raw)?.isFile() && theirs.has(raw));
  const input = Buffer.from(files.map((raw) => `${quote(raw)}\n`).join(''), 'latin1');
  const hashes = (await repo.git(['hash-object', '--stdin-paths'], { input })).split('\n');
  const whole = new Set(files.filter((raw, at) => hashes[at] === theirs.get(raw)));
  const others = there.filter((raw) => !whole.has(raw));
  const blobs = await readObjects(
    repo,
    others.map((raw) => theirs.get(raw) ?? 'none'),
  );
  return others.filter((raw, at) => !isBeginning(repo, raw, blobs[at]?.body));
}

function isBeginning(repo: Repo, raw: string, body: Buffer | undefined): boolean {
  const file = pathOf(repo.root, raw);
  const stat = statAt(repo.root, raw);
  if (!body || !(stat?.isFile() || stat?.isSymbolicLink())) return false;
  const bytes = stat.isFile() ? readFileSync(file) : readlinkSync(file, 'buffer');
  return bytes.equals(body.subarray(0, bytes.length));
}

function changedSince(to: string, raws: readonly string[]): Failure {
  const branch = to.slice('refs/heads/'.length);
  return new Failure(
    'preflight',
    `a switch to ${branch} was cut off, and these files belong to neither branch: ${fewOf(raws.map(nameOf), 10)}`,
    { hint: 'Move them away, and run the same command again: it undoes the rest of the switch.' },
  );
}
