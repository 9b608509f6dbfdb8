// Lists rescue points, shows what one holds, and restores it.
import { Failure } from '../../failure.ts';
import { matchesAny } from '../../glob.ts';
import { readLog } from '../run/ancestry.ts';
import { changeRefs, listRefs } from '../run/head.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { changedFiles } from '../tree/changes.ts';
import { withCopy } from '../tree/index-file.ts';
import type { ChangedFile } from '../tree/raw-diff.ts';
import { type RescueOptions, saveRescue } from './rescue.ts';
import { type NotHeld, type PointText, parsePoint } from './rescue-point.ts';
import { restoreTree } from './restore-tree.ts';

/** `point` counts from 1, oldest first. */
export type RescuePoint = PointText & Readonly<{ run: string; point: number; oid: string; at: string }>;

/** Each run's oldest first. */
export async function listRescues(repo: Repo, run?: string): Promise<readonly RescuePoint[]> {
  const refs = await rescueRefs(repo);
  const names = run === undefined ? new Set(refs.map(runOf)) : new Set([runOf(pawlRef(run, 'rescue'))]);
  const lists = await Promise.all(
    [...names].map(async (name) => {
      const chains = await Promise.all(
        refs.filter((ref) => runOf(ref) === name).map((ref) => listChain(repo, ref)),
      );
      // Lanes' points are sorted in by time; an earlier chain may be part of another.
      const all = [...new Map(chains.flat().map((point) => [point.oid, point])).values()];
      const points = chains.length === 1 ? all : all.sort((a, b) => a.at.localeCompare(b.at));
      return points.map((point, index) => ({ ...point, point: index + 1 }));
    }),
  );
  return lists.flat();
}

function runOf(ref: string): string {
  return ref.split('/')[2] ?? '';
}

/** Compared with HEAD at its time. Throws Failure('usage') if there is no such point. */
export async function showRescue(
  repo: Repo,
  which: Readonly<{ run: string; point: number | string }>,
): Promise<Readonly<{ point: RescuePoint; files: readonly ChangedFile[] }>> {
  const point = await findPoint(repo, which);
  return { point, files: point.head === '' ? [] : await changedFiles(repo, point.head, point.oid) };
}

/** `files`: globs; others stay. Saves the current state first. */
export async function restoreRescue(
  repo: Repo,
  options: Omit<RescueOptions, 'reason'> & Readonly<{ point: number | string; files?: readonly string[] }>,
): Promise<Readonly<{ restored: readonly string[]; notHeld: readonly NotHeld[]; rescue: string }>> {
  const { index, files } = options;
  const point = await findPoint(repo, options);
  const saved = await saveRescue(repo, { ...options, reason: `before restoring point ${point.point}` });
  const isNamed = (file: string): boolean =>
    files === undefined || files.length === 0 || matchesAny(file, files);
  const { restored } = await withCopy(index, 'restore', (copy) =>
    restoreTree(repo, { tree: point.oid, index: copy, rescue: saved.oid, only: isNamed }),
  );
  return { restored, notHeld: point.notHeld, rescue: saved.oid };
}

async function rescueRefs(repo: Repo): Promise<readonly string[]> {
  const folders = ['refs/pawl/*', 'refs/pawl/*/lanes/*'];
  const patterns = folders.flatMap((folder) => [`${folder}/rescue`, `${folder}/earlier/*`]);
  return [...(await listRefs(repo, patterns)).keys()];
}

/** The chain's root has no point's message. */
async function listChain(repo: Repo, ref: string): Promise<readonly Omit<RescuePoint, 'point'>[]> {
  const run = runOf(ref);
  const commits = await readLog(repo, ['--first-parent', '--reverse', ref, '--']);
  return commits.flatMap(({ oid, at, message }) => {
    const text = parsePoint(message);
    return text ? [{ ...text, run, oid, at }] : [];
  });
}

async function findPoint(
  repo: Repo,
  which: Readonly<{ run: string; point: number | string }>,
): Promise<RescuePoint> {
  const points = await listRescues(repo, which.run);
  const wanted = String(which.point);
  const found = points.find(
    ({ point, oid }) => String(point) === wanted || (wanted.length >= 7 && oid.startsWith(wanted)),
  );
  if (found) return found;
  const known = points.length === 0 ? 'it has none' : `it has 1 to ${points.length}`;
  throw new Failure('usage', `there is no rescue point ${wanted} of run ${which.run}: ${known}`, {
    hint: 'See `pawl rescue list`.',
  });
}

export async function dropRun(repo: Repo, run: string): Promise<readonly string[]> {
  const refs = await listRefs(repo, [pawlRef(run, '').slice(0, -1)]);
  const changes = [...refs].map(([ref, old]) => ({ ref, now: undefined, old }));
  await changeRefs(repo, 'drop a run', changes);
  return changes.map(({ ref }) => ref);
}
