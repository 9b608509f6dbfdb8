// What the lanes of a run share, and where each is.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { aborted } from '../../aborted.ts';
import { Failure } from '../../failure.ts';
import { readRef } from '../../git/run/head.ts';
import { groundsOf } from '../../ground/in-ground.ts';
import { isInWork, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { WorkPlace } from '../../work/landing.ts';

export type Lanes = Readonly<{
  /** Follows the branch; nobody works in it meanwhile. */
  trunk: WorkPlace;
  gate: Gate;
  /** Aborted when what happened in one lane stops the run. */
  stop: AbortController;
}> & {
  /**
   * What the branch must contain: its head at this process's first look, with a person's changes, then each landed
   * commit.
   */
  head?: string | undefined;
  /** Tasks in work or about to begin. */
  atOnce: number;
  /** How many lanes can be made. */
  room: number;
  /** The last look at the branch, or landing. */
  last: Promise<unknown>;
};

export function createLanes(trunk: WorkPlace): Lanes {
  const [gate, stop] = [new Gate(), new AbortController()];
  return { trunk, gate, stop, atOnce: 1, room: Number.POSITIVE_INFINITY, last: Promise.resolve() };
}

/** One after the other: a lane that begins is at no gate, and would take a landing for a session's doing. */
export function inTurn<R>(lanes: Lanes, act: () => Promise<R>): Promise<R> {
  const done = lanes.last.then(act);
  lanes.last = done.catch(() => undefined);
  return done;
}

export async function headOf(trunk: Place): Promise<string> {
  const { branch } = trunk.run.state().started;
  const head = await readRef(trunk.repo, `refs/heads/${branch}`);
  if (head !== undefined) return head;
  throw new Failure('git', `the run works on ${branch}, but that branch is gone`, {
    hint: `Recreate it with \`git switch -c ${branch} ${trunk.run.state().lastHead ?? ''}\`, and run the same command again.`,
  });
}

export function laneFolder(trunk: Place, number: number): string {
  // Another start may be configured otherwise.
  const known = trunk.run.state().lanes.get(number)?.folder;
  return known ?? path.join(groundsOf(trunk), `${path.basename(trunk.repo.root)}-${number}`);
}

export function hasLane(trunk: Place, number: number): boolean {
  return existsSync(path.join(laneFolder(trunk, number), '.git'));
}

export function listBegun({ run }: Pick<WorkPlace, 'run'>): ReadonlyMap<number, TaskState> {
  const inLanes = [...run.state().tasks.values()].filter(isInWork);
  return new Map(
    inLanes.flatMap((task) => (task.start?.lane === undefined ? [] : [[task.start.lane, task] as const])),
  );
}

export class Gate {
  #last: Promise<void> = Promise.resolve();

  /** Returns what lets the next one in; undefined if aborted. */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    const before = this.#last;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    await Promise.race([before, aborted(signal)]);
    if (!signal.aborted) return leave;
    leave();
    return undefined;
  }
}
