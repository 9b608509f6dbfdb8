// The lanes of a run: what they share, and where each is. place-lane.ts makes places of them.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInWork, type TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { Gate } from './gate.ts';

/** What all lanes of a run share. */
export type Lanes = Readonly<{
  /** The run's own tree: nobody works in it meanwhile, and it follows the branch. */
  trunk: WorkPlace;
  gate: Gate;
  /** Aborted when the run has to stop for what happened in one lane. */
  stop: AbortController;
  /** Lanes that are ready in this process, or are being made so, by number. */
  ready: Map<number, Promise<boolean>>;
  /** Why this process can have none, in words; empty: nothing is known against it. */
  lacks: string[];
  /** What the branch has to stand on: its head when this process first asked, then each that it landed. What a person did to the branch before a start stands. */
  found: { head?: string };
  /** How many tasks are worked on at once now, those about to begin among them. */
  width: { now: number };
}>;

/** The lanes of a run, none of them made yet by this process. */
export function createLanes(trunk: WorkPlace): Lanes {
  const [gate, stop] = [new Gate(), new AbortController()];
  return { trunk, gate, stop, ready: new Map(), lacks: [], found: {}, width: { now: 1 } };
}

/** Where a lane's tree is; undefined: this run can have none. */
export function laneFolder({ run, repo }: Place, number: number): string | undefined {
  // Where it was made: another start may look elsewhere for lanes.
  const known = run.state().lanes.get(number)?.folder;
  if (known !== undefined || run.lanes === undefined) return known;
  return path.join(run.lanes, run.id, `${path.basename(repo.root)}-${number}`);
}

/** Whether a lane's tree is there. */
export function hasLane(trunk: Place, number: number): boolean {
  const folder = laneFolder(trunk, number);
  return folder !== undefined && existsSync(path.join(folder, '.git'));
}

/** Tasks whose work stands in lanes, by lane. */
export function listBegun({ run }: Pick<WorkPlace, 'run'>): ReadonlyMap<number, TaskState> {
  const inLanes = [...run.state().tasks.values()].filter(isInWork);
  return new Map(
    inLanes.flatMap((task): [number, TaskState][] =>
      task.start?.lane === undefined ? [] : [[task.start.lane, task]],
    ),
  );
}
