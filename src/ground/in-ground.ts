// A run's grounds for looks and proofs: under names that nobody can guess, in the run's own folder; the next start
// removes what was left.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, removeEmptyFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { fewOf, rawOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { stampAt } from '../git/tree/entry.ts';
import { listUntracked } from '../git/tree/tree.ts';
import { orElse } from '../or-else.ts';
import type { Place } from '../place/place.ts';
import { writeFileAtomic } from '../write-file.ts';
import { type Ground, makeGround } from './make.ts';

/** `look`: nothing written is kept; `prove`: checks run in it. */
type GroundUse = 'look' | 'prove';

type RunOf = Readonly<{ run: Pick<Place['run'], 'id' | 'folder' | 'grounds'> }>;

export function groundsOf({ run }: RunOf): string {
  return path.join(run.grounds ?? path.join(realpathSync(tmpdir()), 'pawl-grounds'), run.id);
}

function newFolder(place: Place, use: GroundUse): string {
  const all = groundsOf(place);
  makeFolder(all, 0o700);
  const [own, found] = [statSync(place.run.folder), statSync(all)];
  if (found.uid !== own.uid || (found.mode & 0o022) !== 0)
    throw new Failure('environment', `${all} belongs to somebody else, or others may write there`, {
      hint: 'Remove it, or set another folder with XDG_STATE_HOME.',
    });
  return path.join(realpathSync(all), `${use}-${place.run.random(8)}`);
}

/** Whether the next start removes it. */
export function isPassing(name: string): boolean {
  return /^(look|prove)-[0-9a-f]{16}$/.test(name);
}

/** Removes what killed processes of this run left, and of others not `alive`. */
export function removeLeftGrounds(place: RunOf, alive: ReadonlySet<string>): void {
  const { id, grounds } = place.run;
  const others = grounds === undefined ? [] : orElse(() => readdirSync(grounds), []);
  const dead = others
    .filter((run) => run !== id && !alive.has(run))
    .map((run) => path.join(grounds ?? '', run));
  for (const all of [groundsOf(place), ...dead]) removePassing(all);
}

function removePassing(all: string): void {
  for (const name of orElse(() => readdirSync(all), []))
    if (isPassing(name)) removeOwnFolder(path.join(all, name));
  if (existsSync(all)) removeEmptyFolder(all);
}

type GroundAsked = Readonly<{ use: GroundUse; commit: string; refs?: Readonly<Record<string, string>> }>;

async function makeNew(place: Place, { use, commit, refs = {} }: GroundAsked): Promise<Ground> {
  const { branch } = place.run.state().started;
  const { clone, copy } = place.run.config.worktree;
  const { signal } = place.run;
  const request = { folder: newFolder(place, use), commit, branch: branch || undefined, refs, copy, clone };
  const began = place.run.now().getTime();
  const ground = await makeGround(place.repo, { ...request, signal });
  tellGround(place, ground, place.run.now().getTime() - began);
  return ground;
}

const [longMs, manyBytes] = [10_000, 1e9];

/** Says once what a ground lacks, and what it costs if much. */
export function tellGround({ run }: Pick<Place, 'run'>, { lacks, bytes }: Ground, ms: number): void {
  const isKnown = (code: string, text?: string): boolean =>
    run.state().notices.some((known) => known.code === code && (text === undefined || known.text === text));
  for (const lack of lacks) {
    const text = `A second working tree lacks something: ${lack}`;
    if (!isKnown('ground-lacks', text)) run.emit({ type: 'noticed', code: 'ground-lacks', text });
  }
  if ((ms < longMs && bytes < manyBytes) || isKnown('ground-cost')) return;
  const cost = `${Math.round(ms / 1000)} s and ${Math.round(bytes / 1e6)} MB`;
  const text = `A second working tree took ${cost}, mostly for copies of what is installed in yours; on one disk that shares blocks (APFS, btrfs, XFS), with XDG_STATE_HOME there too, copies are free`;
  run.emit({ type: 'noticed', code: 'ground-cost', text });
}

/** The branch in a look's ground that names the diff's base. */
export const baseName = 'pawl-base';

/** Grounds to reset for the next look or proof. */
const kept = new Map<string, Ground[]>();

const keyOf = (place: RunOf, use: GroundUse): string => `${use} ${groundsOf(place)}`;

async function take(place: Place, asked: GroundAsked): Promise<Readonly<{ ground: Ground; isNew: boolean }>> {
  const ground = kept.get(keyOf(place, asked.use))?.pop();
  if (!ground) return { ground: await makeNew(place, asked), isNew: true };
  await ground.reset(asked.commit);
  for (const [ref, oid] of Object.entries(asked.refs ?? {}))
    await ground.repo.write('ref of ground', ['update-ref', ref, oid]);
  return { ground, isNew: false };
}

/** Keeps it for another use only if `act` says that it is clean. */
async function lend<R>(
  place: Place,
  { use, ground }: Readonly<{ use: GroundUse; ground: Ground }>,
  act: (ground: Ground) => Promise<Readonly<{ result: R; isClean: boolean }>>,
): Promise<R> {
  let isClean = false;
  try {
    const done = await act(ground);
    isClean = done.isClean;
    return done.result;
  } finally {
    const key = keyOf(place, use);
    if (isClean) kept.set(key, [...(kept.get(key) ?? []), ground]);
    else await drop(ground);
  }
}

/** On the run's branch; removed afterwards. */
export async function inGround<R>(
  place: Place,
  asked: GroundAsked,
  act: (ground: Ground) => Promise<R>,
): Promise<R> {
  const made = { use: asked.use, ground: await makeNew(place, asked) };
  return lend(place, made, async (ground) => ({ result: await act(ground), isClean: false }));
}

/**
 * As `inGround`, in a ground used again. `isDoubtful`: a new one must confirm the result, since what is installed may
 * have changed.
 */
export async function inKeptGround<R>(
  place: Place,
  asked: GroundAsked,
  { act, isDoubtful }: Readonly<{ act: (ground: Ground) => Promise<R>; isDoubtful: (result: R) => boolean }>,
): Promise<R> {
  const { use } = asked;
  const actIn = (ground: Ground) =>
    lend(place, { use, ground }, async () => ({ result: await act(ground), isClean: true }));
  const { ground, isNew } = await take(place, asked);
  const result = await actIn(ground);
  if (isNew || !isDoubtful(result) || place.run.signal.aborted) return result;
  await dropKept(place, use);
  return actIn(await makeNew(place, asked));
}

/** What `act` writes is reported, not kept. */
export async function inLook<R>(
  place: Place,
  { head, base, who = 'reviewer' }: Readonly<{ head: string; base: string; who?: 'reviewer' | 'planner' }>,
  act: (root: string) => Promise<R>,
): Promise<R> {
  const use = 'look';
  const { ground } = await take(place, { use, commit: head, refs: { [`refs/heads/${baseName}`]: base } });
  return lend(place, { use, ground }, async ({ repo, root }) => {
    const config = path.join(repo.gitDir, 'config');
    const before = readFileSync(config);
    const present = await markUntracked(repo);
    const result = await act(root);
    // git must not run what a reviewer put there.
    const isSame = readFileSync(config).equals(before);
    writeFileAtomic(config, before);
    const files = await listWritten(repo, head, present);
    const text = `A ${who} wrote into its checkout: ${fewOf(files, 10)}; none of it is kept`;
    if (files.length > 0) place.run.emit({ type: 'noticed', code: `${who}-wrote`, text });
    return { result, isClean: files.length === 0 && isSame };
  });
}

async function drop(ground: Ground): Promise<void> {
  await ground.drop();
  removeEmptyFolder(path.dirname(ground.root));
}

/** At a run's end, also what an earlier process left: one that was killed once the plan had moved is not reconciled. */
export async function dropGrounds(place: RunOf): Promise<void> {
  for (const use of ['look', 'prove'] as const) await dropKept(place, use);
  removePassing(groundsOf(place));
}

async function dropKept(place: RunOf, use: GroundUse): Promise<void> {
  const grounds = kept.get(keyOf(place, use)) ?? [];
  kept.delete(keyOf(place, use));
  for (const ground of grounds) await drop(ground);
}

type Marks = ReadonlyMap<string, string>;

/** Not ignored. A person's own are cloned, too: marks tell what was written. */
async function markUntracked(repo: Repo): Promise<Marks> {
  const files = await listUntracked(repo);
  return new Map(files.map((file) => [file, stampAt(repo.root, rawOf(file)) ?? 'gone']));
}

async function listWritten(repo: Repo, head: string, present: Marks): Promise<readonly string[]> {
  const changed = await repo.git(['diff', '--name-only', '-z', head]);
  const now = await markUntracked(repo);
  const others = [...new Set([...present.keys(), ...now.keys()])];
  const written = others.filter((file) => present.get(file) !== now.get(file));
  return [...new Set([...changed.split('\0'), ...written])].filter((file) => file !== '');
}
