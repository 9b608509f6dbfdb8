// A lane: a ground beside the run's own, made once, and the place that it is, with its own tree, index, environment, and
// way onto the branch through the gate.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { homeOf, keepGround } from '../../git/lane/ground-home.ts';
import { readRef } from '../../git/run/head.ts';
import { rawOf } from '../../git/run/names.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { lookAtTree, newFiles } from '../../git/tree/look.ts';
import { tellGround } from '../../ground/in-ground.ts';
import { groundAt, makeGround } from '../../ground/make.ts';
import { moveEnv } from '../../ground/move-text.ts';
import type { Place, PlanPlace } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import type { Landing, WorkPlace } from '../../work/landing.ts';
import { stateOf } from '../../work/work.ts';
import { makeReady } from '../open/setup.ts';
import { landCommit } from './branch.ts';
import { catchUp, givePlan } from './catch-up.ts';
import { hasLane, headOf, type Lanes, laneFolder } from './lanes.ts';

/** Undefined if the run is stopped; remains are removed. */
export async function openLane(lanes: Lanes, number: number): Promise<WorkPlace | undefined> {
  const { run } = lanes.trunk;
  const folder = laneFolder(lanes.trunk, number);
  if (run.state().lanes.has(number) && hasLane(lanes.trunk, number)) return placeLane(lanes, number);
  try {
    if (await make(lanes, number, folder)) return placeLane(lanes, number);
  } catch (error) {
    removeOwnFolder(folder);
    if (!run.signal.aborted && !lanes.stop.signal.aborted) throw error;
  }
  removeOwnFolder(folder);
  return undefined;
}

async function make(lanes: Lanes, number: number, wanted: string): Promise<boolean> {
  const { trunk } = lanes;
  const { run, repo } = trunk;
  const began = run.now().getTime();
  makeFolder(path.dirname(wanted), 0o700);
  const folder = path.join(realpathSync(path.dirname(wanted)), path.basename(wanted));
  removeOwnFolder(folder);
  removeOwnFolder(path.join(run.folder, 'lanes', String(number)));
  // An earlier lane's rescue points remain valid.
  const past = await readRef(repo, pawlRef(run.id, `lanes/${number}/rescue`));
  const refs = past === undefined ? {} : { [pawlRef(run.id, 'rescue')]: past };
  const { branch } = run.state().started;
  const files = findTrustFiles(repo.root).map((file) => rawOf(file.path));
  const ground = await makeGround(repo, {
    ...run.config.worktree,
    ...{ folder, branch, refs, files, commit: await headOf(trunk) },
    signal: AbortSignal.any([run.signal, lanes.stop.signal]),
  });
  tellGround(trunk, ground, run.now().getTime() - began);
  const lane = placeLane(lanes, number);
  givePlan(trunk, lane);
  if (!(await makeReady(lane))) return false;
  const made = newFiles(await lookAtTree(lane.repo, lane.index));
  if (made.length > 0) lane.run.emit({ type: 'files-made', files: [...made], by: 'start' });
  run.emit({ type: 'lane', state: 'opened', lane: number, folder });
  return true;
}

export function placeLane(lanes: Lanes, number: number): WorkPlace {
  const { trunk } = lanes;
  const folder = laneFolder(trunk, number);
  const repo = groundAt(trunk.repo, folder);
  const kept = path.join(trunk.run.folder, 'lanes', String(number));
  makeFolder(kept, 0o700);
  const { branch } = trunk.run.state().started;
  const { readOnlySpawn: _, ...rest } = trunk;
  const of = { ground: repo, home: trunk.repo, run: trunk.run.id, branch, lane: number };
  const keep = async () => {
    await keepGround(of);
    await trunk.home?.keep();
  };
  const place: WorkPlace = {
    ...rest,
    run: runOf(lanes, number),
    repo,
    plan: planOf(trunk.plan, { folder, kept }),
    index: path.join(kept, 'index'),
    env: { ...moveEnv(trunk.env, trunk.repo.root, folder), ...variablesOf(trunk, number) },
    lane: { number, atOnce: () => lanes.atOnce },
    home: {
      repo: trunk.repo,
      keep,
      homeOf: (ref) => homeOf(of, ref),
      bring: keep,
      take: () => Promise.resolve(),
    },
    landing: createLanding(lanes, () => place),
  };
  return place;
}

/** A plan outside the tree, or in no commit, is a copy. */
function planOf(plan: PlanPlace, { folder, kept }: Readonly<{ folder: string; kept: string }>): PlanPlace {
  if (!path.isAbsolute(plan.name)) return { ...plan, file: path.join(folder, plan.name) };
  const file = path.join(kept, 'given', path.basename(plan.file));
  return { ...plan, file, name: file };
}

function runOf({ trunk: { run }, stop }: Lanes, number: number): Run {
  // All else is the run's: what a lane reads of its state is what everybody reads.
  const own: Pick<Run, 'emit' | 'signal'> = {
    emit: (event) => run.emit({ ...event, lane: number }),
    signal: AbortSignal.any([run.signal, stop.signal]),
  };
  return { ...run, ...own };
}

/** Between the ports of two lanes; pawl's worktrees are hundreds apart. */
const portStep = 1_000;

/** They separate what different lanes start. */
function variablesOf({ env, repo, run }: Place, number: number): Readonly<Record<string, string>> {
  const offset = Number(env['PAWL_PORT_OFFSET'] ?? 0) || 0;
  const name = `${path.basename(repo.root)}-${run.id}-${number}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-');
  return {
    PAWL_LANE: String(number),
    PAWL_PORT_OFFSET: String(offset + number * portStep),
    COMPOSE_PROJECT_NAME: env['COMPOSE_PROJECT_NAME'] ?? name.replace(/^[^a-z0-9]+/, ''),
  };
}

function createLanding(lanes: Lanes, placeOf: () => WorkPlace): Landing {
  return {
    enter: () => lanes.gate.enter(placeOf().run.signal),
    catchUp: (work, tree) => catchUp(lanes, placeOf(), work, tree),
    land: (commit) => landCommit(lanes, placeOf(), commit),
    judged({ work: { task }, before, unmerged }, { kind }) {
      const isOver = kind !== 'correct' && kind !== 'again' && kind !== 'fail';
      if (isOver || (unmerged.length === 0 && !before)) return;
      const { run, lane } = placeOf();
      const { landed = [], conflicts = [] } = stateOf(placeOf(), task).lane ?? {};
      const what = { lane: lane?.number ?? 0, task: task.id, landed: [...landed] };
      const why = unmerged.length > 0 ? 'conflict' : 'red';
      const files = why === 'conflict' ? [...conflicts] : [];
      run.emit({ type: 'landing', state: 'given-back', ...what, why, files });
    },
  };
}
