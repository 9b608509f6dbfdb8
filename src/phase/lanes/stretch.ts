// Which task begins when in which lane, while the plan stays the same. Lane 0 is the run's own tree, for one at a time.
import { Failure } from '../../failure.ts';
import { isSetAside } from '../../journal/state.ts';
import { isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { chooseTasks } from '../../plan/width/choose-tasks.ts';
import { listSuspects } from '../../work/judge/progress.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import { isEndOwed, workTask } from '../../work/loop/work-task.ts';
import { findAloneFor } from '../../work/must-be-alone.ts';
import { hashPlan, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import { aborted } from '../../work/session/await-turn.ts';
import { stateOf } from '../../work/work.ts';
import type { EndedTask } from '../end-task.ts';
import { bringPlan, bringToHead, leaveLane } from './free-lane.ts';
import { tidyTrunk } from './incoming.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { formatLack, isLack, openLane } from './open-lane.ts';
import { isUsable, loseLane } from './usable.ts';

/** `task`: the only one, in the run's own tree; absent: lanes. `most`: how many may begin. `begun`: lanes in work. */
export type StretchWish = Readonly<{
  task?: Task;
  excluded: ReadonlySet<string>;
  most: number;
  begun?: readonly number[];
}>;

/** Tasks that may begin now beside those under way, in order. */
export function chosenOf(
  { run, repo }: WorkPlace,
  plan: Plan,
  {
    excluded,
    underWay = new Set(),
  }: Readonly<{ excluded: ReadonlySet<string>; underWay?: ReadonlySet<string> }>,
): readonly Task[] {
  const aloneFor = findAloneFor(repo.root, plan, { checks: run.config.checks });
  return chooseTasks(plan, { underWay, excluded, aloneFor });
}

export class Stretch {
  readonly #lanes: Lanes;
  readonly #wish: StretchWish;
  readonly #planHash: string;
  readonly #working = new Map<number, Readonly<{ task: Task; ended: Promise<void> }>>();
  readonly #ends: EndedTask[] = [];
  #failure: Readonly<{ error: unknown }> | undefined;
  #begun = 0;

  constructor(lanes: Lanes, wish: StretchWish) {
    this.#lanes = lanes;
    this.#wish = wish;
    this.#planHash = hashPlan(readText(lanes.trunk.plan.file));
  }

  /** Begins what may begin; until something ends. Undefined once nothing is worked on. */
  next(): Promise<unknown> | undefined {
    const { run } = this.#lanes.trunk;
    this.#lanes.width.now = this.#working.size;
    try {
      if (this.#mayBegin()) this.#begin();
    } catch (error) {
      this.#fail(error);
    }
    if (this.#working.size === 0) return undefined;
    const ends = [...this.#working.values()].map(({ ended }) => ended);
    // Once the run is stopping, only the ends count.
    if (run.signal.aborted) return Promise.race(ends);
    return Promise.race([...ends, aborted(AbortSignal.any([run.signal, run.wake()]))]);
  }

  async end(): Promise<readonly EndedTask[]> {
    const { trunk, found } = this.#lanes;
    const { task, begun = [] } = this.#wish;
    if (!task) await tidyTrunk(trunk, found.head);
    if (this.#failure) throw this.#failure.error;
    const gone = begun.find((number) => !hasLane(trunk, number));
    if (this.#ends.length > 0 || gone === undefined) return this.#ends;
    throw new Failure('environment', `the folder of lane ${gone} is gone`, {
      hint: 'The same command starts its task again, with what was saved of it.',
    });
  }

  #mayBegin(): boolean {
    const { trunk } = this.#lanes;
    const { pause } = trunk.run.state();
    if (this.#failure || trunk.run.signal.aborted || pause) return false;
    return !this.#ends.some(({ end }) => !goesOn(trunk, end)) && !this.#isPlanEdited();
  }

  #isPlanEdited(): boolean {
    const { trunk } = this.#lanes;
    // Only what a person committed counts; the rest is undone.
    const { plan } = trunk.run.state();
    const now = hashPlan(readText(trunk.plan.file));
    return now !== this.#planHash && now !== plan?.hash;
  }

  #begin(): void {
    const { trunk, width } = this.#lanes;
    const { task: only, most } = this.#wish;
    if (only) {
      if (this.#begun === 0) this.#start(0, only);
      return;
    }
    const { plan } = readPlanSnapshot(trunk);
    const over = this.#listOver(plan);
    // Tasks that may take pawl down are worked on alone.
    const isSuspect = listSuspects(trunk.run).some(
      (id) => trunk.run.state().tasks.get(id)?.standing === 'open',
    );
    const jobs = isSuspect ? 1 : Math.min(trunk.run.config.jobs, width.room);
    for (const [number, { id }] of listBegun(trunk)) {
      const task = over.has(id) ? undefined : plan.tasks.find((one) => one.id === id);
      if (this.#working.size >= jobs) break;
      if (task && !this.#working.has(number) && hasLane(trunk, number)) this.#start(number, task);
    }
    // A verdict whose consequence a kill prevented comes first.
    if ([...this.#working.values()].some(({ task }) => isEndOwed(stateOf(trunk, task)))) return;
    const underWay = new Set([...this.#working.values()].map(({ task }) => task.id));
    const chosen = chosenOf(trunk, plan, { excluded: over, underWay });
    const more = Math.min(chosen.length, jobs - this.#working.size, most - this.#begun);
    width.now = this.#working.size + Math.max(0, more);
    for (const task of chosen.slice(0, Math.max(0, more))) this.#start(this.#freeLane(), task);
  }

  #listOver(plan: Plan): ReadonlySet<string> {
    const ended = this.#ends.filter(({ end }) => end.kind !== 'closed').map(({ task }) => task.id);
    const set = plan.tasks.filter((task) => isSetAside(stateOf(this.#lanes.trunk, task))).map(({ id }) => id);
    return new Set([...this.#wish.excluded, ...ended, ...set]);
  }

  #freeLane(): number {
    const taken = new Set([...this.#working.keys(), ...listBegun(this.#lanes.trunk).keys()]);
    for (let number = 1; ; number += 1) if (!taken.has(number)) return number;
  }

  #start(number: number, task: Task): void {
    if (listBegun(this.#lanes.trunk).get(number)?.id !== task.id) this.#begun += 1;
    const ended = this.#workIn(number, task)
      .then((end) => {
        if (end) this.#ends.push(end);
        else this.#begun -= 1;
      })
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#working.delete(number);
      });
    this.#working.set(number, { task, ended });
  }

  /** The other lanes end, too, and the trunk is tidied before it is thrown. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#lanes.stop.abort(error);
  }

  /** Undefined if the lane cannot be made or is gone: the task comes later. */
  async #workIn(number: number, task: Task): Promise<EndedTask | undefined> {
    const { trunk, ready } = this.#lanes;
    const place = number === 0 ? trunk : await this.#open(number);
    if (!place) return undefined;
    try {
      const isBegun = listBegun(trunk).get(number)?.id === task.id;
      if (number > 0) await (isBegun ? bringPlan(place, task) : bringToHead(this.#lanes, place));
      const planSnapshot = readPlanSnapshot(place);
      const own = planSnapshot.plan.tasks.find(({ id }) => id === task.id);
      if (!own) return { task, end: { kind: 'dropped', reason: 'it is no longer in the plan' } };
      const end: TaskEnd = isClosed(own)
        ? { kind: 'dropped', reason: 'it was ticked by hand' }
        : await workTask(place, planSnapshot, own);
      return await (number === 0 ? { task: own, end } : leaveLane(place, { task: own, end }));
    } catch (error) {
      if (number === 0 || !(error instanceof Failure) || trunk.run.signal.aborted) throw error;
      if (await isUsable(trunk, place, number)) throw error;
      loseLane(trunk, number, stateOf(trunk, task), error);
      ready.delete(number);
      return undefined;
    }
  }

  async #open(number: number): Promise<WorkPlace | undefined> {
    try {
      return await openLane(this.#lanes, number);
    } catch (error) {
      const { trunk, width } = this.#lanes;
      const there = trunk.run.state().lanes.size;
      if (!isLack(error)) throw error;
      if (width.room === there) return undefined;
      width.room = there;
      const many = there === 1 ? 'No more than one lane' : `No more than ${there} lanes`;
      const text = `${there === 0 ? 'No lane' : many} can be made: ${formatLack(error)}`;
      trunk.run.emit({ type: 'noticed', code: 'no-lanes', text });
      return undefined;
    }
  }
}

function goesOn({ run }: WorkPlace, { kind }: TaskEnd): boolean {
  if (kind === 'closed') return run.config.replan !== 'after-each-task';
  if (kind === 'failed') return run.config.keepGoing && run.config.replan === 'never';
  return kind === 'parked' || kind === 'skipped' || kind === 'dropped';
}
