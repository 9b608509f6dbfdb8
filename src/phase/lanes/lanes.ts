// The lanes of a run: what they share, and where each is. place-lane.ts makes a Place of each.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { readRef } from '../../git/run/head.ts';
import { isInWork, type TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { Gate } from './gate.ts';

export type Lanes = Readonly<{
  /** The run's own ground: nobody works in it meanwhile, and it follows the branch. */
  trunk: WorkPlace;
  gate: Gate;
  /** Aborted when the run has to stop because of what happened in one lane. */
  stop: AbortController;
  /** Lanes that are ready in this process, or being made ready, by number. */
  ready: Map<number, Promise<boolean>>;
  /**
   * What the branch must contain: its head when this process first looked, then each commit it landed. What a person did to
   * the branch before a start is accepted.
   */
  found: { head?: string };
  /** How many tasks are being worked on at once, including those about to begin; for how many lanes there is room. */
  width: { now: number; room: number };
}>;

export function createLanes(trunk: WorkPlace): Lanes {
  const [gate, stop] = [new Gate(), new AbortController()];
  return {
    trunk,
    gate,
    stop,
    ready: new Map(),
    found: {},
    width: { now: 1, room: Number.POSITIVE_INFINITY },
  };
}

export async function headOf(trunk: Place): Promise<string> {
  const { branch } = trunk.run.state().started;
  const head = await readRef(trunk.repo, `refs/heads/${branch}`);
  if (head !== undefined) return head;
  throw new Failure('git', `the run works on ${branch}, but that branch is gone`, {
    hint: `Recreate it with \`git switch -c ${branch} ${trunk.run.state().lastHead ?? ''}\`, and run the same command again.`,
  });
}

/** Where a lane's tree is; undefined if this run can have none. */
export function laneFolder({ run, repo }: Place, number: number): string | undefined {
  // Where it was made: another start may be configured to put lanes elsewhere.
  const known = run.state().lanes.get(number)?.folder;
  if (known !== undefined || run.grounds === undefined) return known;
  return path.join(run.grounds, run.id, `${path.basename(repo.root)}-${number}`);
}

export function hasLane(trunk: Place, number: number): boolean {
  const folder = laneFolder(trunk, number);
  return folder !== undefined && existsSync(path.join(folder, '.git'));
}

export function listBegun({ run }: Pick<WorkPlace, 'run'>): ReadonlyMap<number, TaskState> {
  const inLanes = [...run.state().tasks.values()].filter(isInWork);
  return new Map(
    inLanes.flatMap((task): [number, TaskState][] =>
      task.start?.lane === undefined ? [] : [[task.start.lane, task]],
    ),
  );
}
