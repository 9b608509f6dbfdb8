// Watches the tree that a run in a worktree was started from: a person works there meanwhile, and sessions can reach it by
// its path. If a session's record shows that it did, the changes are reported with the rescue point that holds the earlier
// state. Nothing is restored.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { defined } from '../../defined.ts';
import { removeFile } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { fewOf } from '../../git/run/names.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { goneIgnored, recordIgnored } from '../../git/tree/ignored-names.ts';
import { lookAtTree } from '../../git/tree/look.ts';
import type { Place } from '../../place/place.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { readReachInto } from './suspects.ts';
import type { Whose } from './violations.ts';

/**
 * Saves the tree before sessions work, after reporting on an earlier process of the run. A tree that git cannot read does
 * not stop the run, which works elsewhere.
 */
export async function holdPersonsTree(place: Place): Promise<void> {
  const tree = findPersonsTree(place);
  if (!tree) return;
  try {
    await namePersonsTree(place);
    keep(place, {
      point: await savePoint(place, tree),
      after: Math.max(0, ...place.run.state().sessions.keys()),
    });
  } catch (error) {
    if (!asFailure(error)) throw error;
    removeFile(keptFile(place));
  }
}

/** Reports what changed since, if sessions reached the tree; returns the names and the sessions. */
export async function namePersonsTree(place: Place, whose: Partial<Whose> = {}): Promise<Named> {
  const tree = findPersonsTree(place);
  const kept = readKept(place);
  if (!tree || !kept) return nothing;
  const guilty = findReached(place, tree.repo.root, kept.after);
  if (guilty.length === 0) return nothing;
  const gone = goneIgnored(tree.repo, tree.index);
  const point = await savePoint(place, tree);
  const changed = await changedNames(tree.repo, kept.point, point);
  const lost = gone.filter((file) => !changed.includes(file));
  const files = [...changed, ...lost];
  if (files.length === 0) return nothing;
  keep(place, { ...kept, point });
  const command = `git restore --source=${kept.point.slice(0, 12)} --worktree -- <file>`;
  const back = changed.length === 0 ? '' : `; \`${command}\` there brings back what was`;
  const noCopy = lost.length === 0 ? '' : `; pawl has no copy of ${fewOf(lost)}`;
  place.run.emit({
    type: 'act-found',
    ...whose,
    ...defined({ session: guilty.length === 1 ? guilty[0] : undefined }),
    act: 'changed-user-file',
    detail: `${fewOf(files)} in ${tree.repo.root}, where the run was started${back}${noCopy}`,
    response: 'reported',
  });
  return { files, guilty };
}

type Named = Readonly<{ files: readonly string[]; guilty: readonly number[] }>;

const nothing: Named = { files: [], guilty: [] };

/** Sessions whose commands named the tree, or whose tools wrote into it. */
function findReached(place: Place, root: string, after: number): readonly number[] {
  const sessions = [...place.run.state().sessions.keys()].filter((session) => session > after);
  return sessions.filter((session) => {
    const { commands, writes } = readReachInto(place, root, session);
    return commands || writes.some((file) => isBelow(path.resolve(place.repo.root, file), root));
  });
}

/** The tree, and the run's own index file for it. */
type PersonsTree = Readonly<{ repo: Repo; index: string }>;

/** Undefined if the run works in it, if a sandbox hides it, and in a lane, where the run's own tree is watched instead. */
function findPersonsTree({ repo, run, index, lane, sandbox }: Place): PersonsTree | undefined {
  const root = run.state().worktree?.from;
  if (root === undefined || lane || sandbox || root === repo.root) return undefined;
  const gitDir = findGitDir(root);
  return gitDir === undefined
    ? undefined
    : {
        repo: repo.at(root, { gitDir, commonDir: repo.commonDir, hooksDir: repo.hooksDir }),
        index: `${index}.person`,
      };
}

/** Undefined if the tree no longer exists. */
function findGitDir(root: string): string | undefined {
  const dotGit = path.join(root, '.git');
  const found = statSync(dotGit, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return found && dotGit;
  const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8')) ?? [];
  return named === undefined ? undefined : path.resolve(root, named);
}

async function savePoint({ run }: Place, { repo, index }: PersonsTree): Promise<string> {
  const look = await lookAtTree(repo, index);
  const { oid } = await saveRescue(repo, {
    run: run.id,
    ref: pawlRef(run.id, 'person'),
    reason: 'the tree that the run was started from',
    ...{ index: `${index}.rescue`, include: run.config.rescue.include, seen: { index, look } },
  });
  recordIgnored(repo, index, look);
  return oid;
}

/** The rescue point that holds the tree, and the number of the last session before it. */
type Kept = Readonly<{ point: string; after: number }>;

function keep(place: Place, { point, after }: Kept): void {
  writeFileAtomic(keptFile(place), `${point} ${after}`, 0o600);
}

function readKept(place: Place): Kept | undefined {
  if (!existsSync(keptFile(place))) return undefined;
  const [point = '', after] = readFileSync(keptFile(place), 'utf8').split(' ');
  return { point, after: Number(after) };
}

function keptFile({ run }: Pick<Place, 'run'>): string {
  return path.join(run.folder, 'persons-tree');
}
