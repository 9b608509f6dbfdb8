// Where a run's grounds for looks and proofs are, and what becomes of them: each has a name that nobody can guess, in a
// folder of the run's own, and none outlives the process by longer than until the next start.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, removeEmptyFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Place } from '../place/place.ts';
import { writeFileAtomic } from '../write-file.ts';
import { type Ground, makeGround } from './make.ts';

/** `work`: a session may do with it what it likes; `look`: nothing that is written is kept; `prove`: checks run in it. */
export type GroundUse = 'work' | 'look' | 'prove';

type RunOf = Readonly<{ run: Pick<Place['run'], 'id' | 'folder' | 'grounds'> }>;

/** The folder of all grounds of a run. */
export function groundsOf({ run }: RunOf): string {
  return path.join(run.grounds ?? path.join(realpathSync(tmpdir()), 'pawl-grounds'), run.id);
}

/** A path for a new ground, in a folder that is made if it is missing. */
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

/** Whether a folder among a run's grounds is one that the next start removes. */
export function isPassing(name: string): boolean {
  return /^(look|prove)-[0-9a-f]{16}$/.test(name);
}

/** Removes what a killed process of the run left: the next one may need none. */
export function removeLeftGrounds(place: RunOf): void {
  const all = groundsOf(place);
  if (!existsSync(all)) return;
  for (const name of readdirSync(all)) if (isPassing(name)) removeOwnFolder(path.join(all, name));
  removeEmptyFolder(all);
}

/** Lets `act` work in a ground at a commit, on the run's branch, then removes it. */
export async function inGround<R>(
  place: Place,
  {
    use,
    commit,
    refs = {},
  }: Readonly<{ use: GroundUse; commit: string; refs?: Readonly<Record<string, string>> }>,
  act: (ground: Ground) => Promise<R>,
): Promise<R> {
  const { branch } = place.run.state().started;
  const { clone, copy } = place.run.config.worktree;
  const folder = newFolder(place, use);
  const began = place.run.now().getTime();
  const ground = await makeGround(place.repo, {
    folder,
    commit,
    branch: branch || undefined,
    refs,
    copy,
    clone,
  });
  tellGround(place, ground, place.run.now().getTime() - began);
  try {
    return await act(ground);
  } finally {
    ground.drop();
    removeEmptyFolder(path.dirname(folder));
  }
}

const [longMs, manyBytes] = [10_000, 1e9];

/** Says once what a ground lacks, and what making it costs if that is much. */
export function tellGround({ run }: Pick<Place, 'run'>, { lacks, bytes }: Ground, ms: number): void {
  const isKnown = (code: string, text?: string): boolean =>
    run.state().notices.some((known) => known.code === code && (text === undefined || known.text === text));
  for (const lack of lacks) {
    const text = `A second working tree lacks something: ${lack}`;
    if (!isKnown('ground-lacks', text)) run.emit({ type: 'noticed', code: 'ground-lacks', text });
  }
  if ((ms < longMs && bytes < manyBytes) || isKnown('ground-cost')) return;
  const cost = `${Math.round(ms / 1000)} s and ${Math.round(bytes / 1e6)} MB`;
  const text = `A second working tree took ${cost}, mostly for copies of what is installed in yours`;
  run.emit({ type: 'noticed', code: 'ground-cost', text });
}

/** The branch in a look's ground that names the base of the diff. */
export const baseName = 'pawl-base';

/** Lets `act` look at a commit in a ground; what was written there is reported. */
export function inLook<R>(
  place: Place,
  { head, base, who = 'reviewer' }: Readonly<{ head: string; base: string; who?: 'reviewer' | 'planner' }>,
  act: (root: string) => Promise<R>,
): Promise<R> {
  const refs = { [`refs/heads/${baseName}`]: base };
  return inGround(place, { use: 'look', commit: head, refs }, async ({ repo }) => {
    const config = readFileSync(configOf(repo));
    const result = await act(repo.root);
    // git must not run what a reviewer put there.
    writeFileAtomic(configOf(repo), config);
    await emitWritten(place, repo, { head, who });
    return result;
  });
}

function configOf(repo: Repo): string {
  return path.join(repo.gitDir, 'config');
}

/** None of it is kept; but whoever wrote did more than look. */
async function emitWritten(
  place: Place,
  repo: Repo,
  { head, who }: Readonly<{ head: string; who: string }>,
): Promise<void> {
  const lists = await Promise.all([
    repo.git(['diff', '--name-only', '-z', head]),
    repo.git(['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const files = [...new Set(lists.flatMap((list) => list.split('\0')))].filter((file) => file !== '');
  if (files.length === 0) return;
  const text = `A ${who} wrote into its checkout: ${fewOf(files, 10)}; none of it is kept`;
  place.run.emit({ type: 'noticed', code: `${who}-wrote`, text });
}
