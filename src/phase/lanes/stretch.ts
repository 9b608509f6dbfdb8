// Tasks worked on in lanes while the plan stays the same: which begins when, in which lane.
import { aborted } from '../../aborted.ts';
import { digestText } from '../../digest.ts';
import { asFailure, Failure, needFailure } from '../../failure.ts';
import { isSetAside } from '../../journal/task-state.ts';
import { readPlanFile } from '../../plan/file.ts';
import { isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { chooseTasks } from '../../plan/width/choose-tasks.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import { isEndOwed, workTask } from '../../work/loop/work-task.ts';
import { judgeWidth } from '../../work/must-be-alone.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { stateOf } from '../../work/work.ts';
import type { EndedTask } from '../end-task.ts';
import { tidyTrunk } from './branch.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { bringPlan, bringToHead, isUsable, leaveLane, loseLane } from './leave-lane.ts';
import { openLane } from './place-lane.ts';

/** `most`: how many may begin. `begun`: lanes in work. */
type StretchWish = Readonly<{
  excluded: ReadonlySet<string>;
  most: number;
  begun: readonly number[];
}>;

/** Tasks that may begin now beside those under way, in order. */
export function chosenOf(
  { run, repo }: WorkPlace,
  plan: Plan,
  choice: Readonly<{ excluded: ReadonlySet<string>; underWay: ReadonlySet<string> }>,
): readonly Task[] {
  return chooseTasks(plan, { ...choice, ...judgeWidth(repo.root, plan, run.config) });
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
    this.#planHash = digestText(readPlanFile(lanes.trunk.plan.file));
  }

  /** Until nothing is worked on, and nothing more may begin. */
  async work(): Promise<readonly EndedTask[]> {
    const { trunk } = this.#lanes;
    for (let next = this.#next(); next; next = this.#next()) await next;
    await tidyTrunk(trunk, this.#lanes.head);
    if (this.#failure) throw this.#failure.error;
    const gone = this.#wish.begun.find((number) => !hasLane(trunk, number));
    if (this.#ends.length > 0 || gone === undefined) return this.#ends;
    throw new Failure('environment', `the folder of lane ${gone} is gone`, {
      hint: 'The same command starts its task again, with what was saved of it.',
    });
  }

  /** Begins what may begin; until something ends. Undefined once nothing is worked on. */
  #next(): Promise<unknown> | undefined {
    const { run } = this.#lanes.trunk;
    this.#lanes.atOnce = this.#working.size;
    try {
      if (this.#mayBegin()) this.#begin();
    } catch (error) {
      this.#fail(error);
    }
    if (this.#working.size === 0) return undefined;
    const ends = [...this.#working.values()].map(({ ended }) => ended);
    // Once the run is stopping, only the ends count.
    const wakes = run.signal.aborted ? [] : [aborted(AbortSignal.any([run.signal, run.wake()]))];
    return Promise.race([...ends, ...wakes]);
  }

  #mayBegin(): boolean {
    const { trunk } = this.#lanes;
    const { pause, plan } = trunk.run.state();
    if (this.#failure || trunk.run.signal.aborted || pause) return false;
    if (this.#ends.some(({ end }) => !goesOn(trunk, end))) return false;
    // Of edits to the plan only what a person committed counts; the rest is undone.
    const now = digestText(readPlanFile(trunk.plan.file));
    return now === this.#planHash || now === plan?.hash;
  }

  #begin(): void {
    const { trunk, room } = this.#lanes;
    const plan = readPlanAt(trunk);
    const excluded = this.#listOver(plan);
    const jobs = Math.min(trunk.run.config.jobs, room);
    for (const [number, { id }] of listBegun(trunk)) {
      const task = excluded.has(id) ? undefined : plan.tasks.find((one) => one.id === id);
      if (this.#working.size >= jobs) break;
      if (task && !this.#working.has(number) && hasLane(trunk, number)) this.#start(number, task);
    }
    const working = [...this.#working.values()].map(({ task }) => task);
    // A verdict whose consequence a kill prevented comes first.
    if (working.some((task) => isEndOwed(stateOf(trunk, task)))) return;
    const underWay = new Set(working.map(({ id }) => id));
    const more = Math.max(0, Math.min(jobs - working.length, this.#wish.most - this.#begun));
    const chosen = chosenOf(trunk, plan, { excluded, underWay }).slice(0, more);
    this.#lanes.atOnce = working.length + chosen.length;
    for (const task of chosen) this.#start(this.#freeLane(), task);
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
    const { trunk } = this.#lanes;
    const lane = await this.#open(number);
    if (!lane) return undefined;
    try {
      const isBegun = listBegun(trunk).get(number)?.id === task.id;
      await (isBegun ? bringPlan(lane, task) : bringToHead(this.#lanes, lane));
      return await leaveLane(lane, await endIn(lane, task));
    } catch (error) {
      const failure = trunk.run.signal.aborted ? undefined : asFailure(error);
      if (!failure || (await isUsable(lane))) throw error;
      loseLane(trunk, number, stateOf(trunk, task), failure);
      return undefined;
    }
  }

  /** Undefined if there is no room for another. */
  async #open(number: number): Promise<WorkPlace | undefined> {
    try {
      return await openLane(this.#lanes, number);
    } catch (error) {
      const { run } = this.#lanes.trunk;
      const there = run.state().lanes.size;
      const { code, message, hint = '' } = needFailure(error);
      if (!ofOneLane.has(code)) throw error;
      if (this.#lanes.room === there) return undefined;
      this.#lanes.room = there;
      const text = `No more lanes than ${there} can be made: ${message}. ${hint}`;
      run.emit({ type: 'noticed', code: 'no-lanes', text });
      return undefined;
    }
  }
}

/** Codes of failures that only prevent another lane. */
const ofOneLane: ReadonlySet<string> = new Set(['disk', 'git', 'environment']);

export async function endIn(place: WorkPlace, task: Task): Promise<EndedTask> {
  const plan = readPlanAt(place);
  const own = plan.tasks.find(({ id }) => id === task.id);
  if (!own) return { task, end: { kind: 'dropped', reason: 'it is no longer in the plan' } };
  if (isClosed(own)) return { task: own, end: { kind: 'dropped', reason: 'it was ticked by hand' } };
  return { task: own, end: await workTask(place, plan, own) };
}

function goesOn({ run }: WorkPlace, { kind }: TaskEnd): boolean {
  if (kind === 'closed') return run.config.replan !== 'after-each-task';
  if (kind === 'failed') return run.config.keepGoing && run.config.replan === 'never';
  return kind === 'parked' || kind === 'skipped' || kind === 'dropped';
}
