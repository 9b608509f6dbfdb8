// Brings what a ground or lane holds to the person's repository, so that its folder may be removed; takes over theirs.
import { Failure } from '../../failure.ts';
import { worktreeOf } from '../place/branches.ts';
import { readStashes } from '../protect/snapshot.ts';
import { holdRefs } from '../rescue/rescue-commit.ts';
import { descends, leadsTo } from '../run/ancestry.ts';
import { changeRefs, listRefs, readRef } from '../run/head.ts';
import { fewOf } from '../run/names.ts';
import { earlierName, isPassing, pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { followBranch, followSubmodules, type Move } from './follow.ts';

/** `home`: seen from the tree the run was started from, for a lane the run's own. */
export type GroundHome = Readonly<{ ground: Repo; home: Repo; run: string; branch: string; lane?: number }>;

/** How one of pawl's refs in the ground is called there. */
export function homeOf({ run, lane }: Pick<GroundHome, 'run' | 'lane'>, ref: string): string {
  const own = pawlRef(run, '');
  return lane === undefined || !ref.startsWith(own) ? ref : `${own}lanes/${lane}/${ref.slice(own.length)}`;
}

/** The commit that the branch and home's had in common last. */
export function sharedRef(branch: string): string {
  return `refs/pawl/home/${branch}`;
}

/** Copies home all that pawl saved, and the branch as its `head`. */
export async function keepGround(of: GroundHome): Promise<void> {
  const { ground, home, run, branch, lane } = of;
  const own = pawlRef(run, '');
  const refs = (lane === undefined ? ['*'] : ofLane).map((tail) => own + tail);
  await keepReplaced(of);
  const specs = refs.map((ref) => `+${ref}:${homeOf(of, ref)}`);
  await fetchRefs(home, ground, [...specs, `+refs/heads/${branch}:${homeOf(of, `${own}head`)}`]);
}

const ofLane = ['tree*', 'absorbed/*', 'earlier/*', 'kept/*', 'lost/*', 'rescue*'];

/** Also whatever else was committed or stashed in the ground, before it is removed. */
export async function keepAllOfGround(of: GroundHome): Promise<void> {
  const { ground, home, run, branch } = of;
  const names = ['refs/heads', 'refs/tags', 'refs/stash'];
  const [own, known] = await Promise.all([listRefs(ground, names), listRefs(home, names)]);
  // Only a log has the earlier ones.
  await holdRefs(ground, run, { refs: new Map(), stashes: readStashes(ground, own), known: [] });
  await keepGround(of);
  const left = [...own].filter(([ref, oid]) => ref !== `refs/heads/${branch}` && known.get(ref) !== oid);
  const specs = left.map(([ref]) => `+${ref}:${pawlRef(run, `left/${ref.slice('refs/'.length)}`)}`);
  if (specs.length > 0) await fetchRefs(home, ground, specs);
}

async function readSides({ ground, home, branch }: GroundHome) {
  const ref = `refs/heads/${branch}`;
  const [here, there, shared] = await Promise.all([
    readRef(ground, ref),
    readRef(home, ref),
    readRef(ground, sharedRef(branch)),
  ]);
  return { here, there, shared };
}

/** Calls `announce`, moves home's branch, if it is not already there. Throws Failure('history') if another moved it. */
export async function bringGround(of: GroundHome, announce: (from: string) => void): Promise<void> {
  const { here, there, shared } = await readSides(of);
  await keepGround(of);
  if (here !== undefined && here === there) await noteShared(of, here, shared);
  if (here === undefined || here === there || (here === shared && there !== undefined)) return;
  if (there === undefined || there !== shared) throw movedElsewhere(of, { here, there });
  await refuseCheckedOutElsewhere(of);
  announce(there);
  await changeRefs(of.home, 'land', [{ ref: `refs/heads/${of.branch}`, now: here, old: there }]);
  await noteShared(of, here, shared);
}

/**
 * Only if nothing was committed in the ground, or the person has merged that. `makeWay` comes first; throws Failure('git')
 * if a file is still in the way.
 */
export async function takeFromHome(of: GroundHome, makeWay?: (move: Move) => Promise<void>): Promise<void> {
  const { ground, branch } = of;
  const { here, there, shared } = await readSides(of);
  if (here === undefined || there === undefined || there === here) return;
  if (here !== shared && (there === shared || !(await descends(ground, here, there)))) return;
  const move = { from: here, to: there };
  await makeWay?.(move);
  // The objects are borrowed from there. Not after the branch: files behind it would take it back.
  const hiding = await followBranch(ground, move);
  if (hiding.length > 0) throw isInTheWay(of, hiding, there);
  await followSubmodules(ground, move);
  await changeRefs(ground, 'take over', [
    { ref: `refs/heads/${branch}`, now: there, old: here },
    { ref: sharedRef(branch), now: there, old: shared },
  ]);
}

function isInTheWay({ ground, branch }: GroundHome, files: readonly string[], commit: string): Failure {
  const what = `${fewOf(files)} in ${ground.root} is in the way of what ${branch} has by now`;
  const take = `git -C ${ground.root} checkout ${commit.slice(0, 12)} -- <file>`;
  return new Failure('git', what, {
    hint: `Save what you need of it: \`${take}\` takes the branch's; then run the same command again.`,
  });
}

async function noteShared(
  { ground, branch }: GroundHome,
  now: string,
  old: string | undefined,
): Promise<void> {
  if (old !== now) await changeRefs(ground, 'note home', [{ ref: sharedRef(branch), now, old }]);
}

/** git would show landed work as taken back in a tree that does not follow. */
async function refuseCheckedOutElsewhere({ home, branch }: GroundHome): Promise<void> {
  const where = await worktreeOf(home, branch);
  if (where === '' || where === home.root) return;
  throw new Failure('git', `${branch} is checked out in ${where}, which does not follow the run`, {
    hint: `Its commits are safe. Free the branch there (git -C ${where} switch --detach), and run the same command again.`,
  });
}

function movedElsewhere(
  { run, branch }: GroundHome,
  { here, there }: Readonly<{ here: string; there: string | undefined }>,
): Failure {
  const what = there === undefined ? `${branch} was deleted` : `${branch} was moved to ${there.slice(0, 12)}`;
  const remedy =
    there === undefined
      ? `git branch ${branch} ${here.slice(0, 12)}`
      : `git switch ${branch} && git merge ${here.slice(0, 12)}`;
  return new Failure('history', `${what}, while run ${run} has ${here.slice(0, 12)} in its ground`, {
    hint: `\`${remedy}\` brings both together; the same command then continues. Or start over with --fresh.`,
  });
}

/** A session may have removed refs: what does not lead up to what replaces it stays below `earlier/`. */
async function keepReplaced(of: GroundHome): Promise<void> {
  const { ground, home, run } = of;
  const own = pawlRef(run, '');
  const [now, known] = await Promise.all([listRefs(ground, [own]), listRefs(home, [homeOf(of, own)])]);
  for (const [ref, old] of known) {
    const next = now.get(own + ref.slice(homeOf(of, own).length));
    if (next === undefined || next === old || isPassing(ref) || (await leadsTo(ground, old, next))) continue;
    await home.write('keep what is replaced', ['update-ref', earlierName(ref, old), old]);
  }
}

/** Two lanes bring the same refs at once: git refuses the later one, which sees them as they are when it asks again. */
export async function fetchRefs(repo: Repo, lane: Repo, specs: readonly string[], tries = 5): Promise<void> {
  try {
    await repo.write('fetch from lane', [
      ...['-c', 'protocol.file.allow=always', '-c', 'fetch.fsckObjects=false'],
      ...['fetch', '-q', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
      ...['--no-auto-maintenance', lane.gitDir, ...specs],
    ]);
  } catch (error) {
    if (tries === 0 || !/ but expected /.test((error as Error).message)) throw error;
    await fetchRefs(repo, lane, specs, tries - 1);
  }
}
