// Where a taken-up run continues: in the tree with its branch, or in a new ground. What was there is kept.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { type CliContext, printNote } from '../context.ts';
import { type Entered, enterTree } from '../ground/enter.ts';
import { makeOwnGround } from '../ground/make-own.ts';
import { findPlaceAt, type Place } from '../locate.ts';
import { type OpenPlace, openPlainRepo } from '../open-place.ts';
import type { RunFlags } from '../run-options.ts';
import type { FoundTree } from './find-tree.ts';
import { setLeftoverAside } from './find-tree.ts';
import { keepAside, keepLanes, type LayOut, layOut, moveBranch } from './lay-out.ts';

type Enter = Readonly<{
  place: Place;
  tree: FoundTree | undefined;
  lay: Pick<LayOut, 'laidOut' | 'fact'> & Readonly<{ target: string }>;
  options: RunFlags;
}>;

export async function enterTaken(
  context: CliContext,
  { repo, config }: OpenPlace,
  { place, tree, lay, options }: Enter,
): Promise<Entered> {
  const { laidOut, target } = lay;
  const { run, branch, plan } = laidOut;
  for (const moved of keepLanes(laidOut.local))
    printNote(context, `Work in a lane here was never carried; it is kept: ${moved}`);
  const kept = await keepAside(repo, { run, branch, target });
  const here = tree && (await openPlainRepo(context, { root: tree.where }));
  if (here) await clear(context, here, { run, leftover: tree.leftover });
  await moveBranch(repo, { here, branch, target });
  const laying = { ...lay, now: context.now(), ...defined({ kept }) };
  const start = { context, options, place, file: path.join(place.root, plan) };
  if (here) return enterHere(here, { start, laying });
  const choice = { branch, create: false };
  const made = await makeOwnGround(context, {
    ...{ repo, config, choice, base: target, takesPlan: false },
    plan: { name: plan, file: start.file },
  });
  const { worktree } = made;
  const own = await openPlainRepo(context, { root: worktree.path });
  await layOut(own, { ...laying, untracked: await listUntracked(own), worktree });
  return enterTree(start, plan, made);
}

async function clear(
  context: CliContext,
  here: Repo,
  { run, leftover }: Readonly<{ run: string; leftover: FoundTree['leftover'] }>,
): Promise<void> {
  if (leftover.size === 0) return;
  const rescue = await setLeftoverAside(here, { run, leftover });
  const files = fewOf([...leftover].sort());
  const back = `pawl rescue restore ${rescue.slice(0, 10)} --run ${run}`;
  printNote(context, `Uncommitted work here (${files}) was taken out of the tree, and is kept: ${back}`);
}

/** In the clone's tree, or the ground it worked in before. */
async function enterHere(
  here: Repo,
  {
    start,
    laying,
  }: Readonly<{
    start: Parameters<typeof enterTree>[0];
    laying: Omit<LayOut, 'untracked' | 'worktree'>;
  }>,
): Promise<Entered> {
  const { context, options, place } = start;
  const { plan, local } = laying.laidOut;
  const worktree = local?.worktree?.path === here.root ? local.worktree : undefined;
  const untracked = await listUntracked(here);
  await layOut(here, { ...laying, untracked, ...defined({ worktree }) });
  if (worktree) return enterTree(start, plan, { worktree });
  if (here.root !== place.root) printNote(context, `The run works in ${here.root}.`);
  const cwd = (findPlaceAt(here.root) ?? place).root;
  return { context: { ...context, cwd }, given: path.join(here.root, plan), options };
}
