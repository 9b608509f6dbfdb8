// One stretch of side-by-side work: which task begins when in which lane, until nothing more can begin, and how each ended.
import { Failure } from '../../failure.ts';
import { readPlanEdit } from '../../plan/edit-file.ts';
import { isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { chooseTasks } from '../../plan/width/choose-tasks.ts';
import { listSuspects } from '../../work/judge/judge-cut-offs.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import { isEndOwed, workTask } from '../../work/loop/work-task.ts';
import { findAloneFor } from '../../work/must-be-alone.ts';
import { hashPlan, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import { stateOf } from '../../work/work.ts';
import type { EndedTask } from '../end-task.ts';
import { awaitFirstSession } from './first-session.ts';
import { bringPlan, bringToHead, leaveLane } from './free-lane.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { formatLack, isLack, openLane } from './open-lane.ts';
import { isUsable, loseLane } from './usable.ts';

/** Tasks that must not begin, and how many may be closed. */
export type LaneWish = Readonly<{ excluded: ReadonlySet<string>; most: number }>;

/** Which tasks may begin now beside those under way, in order. */
export function chosenOf(
  { run, repo }: WorkPlace,
  plan: Plan,
  {
    excluded,
    underWay = new Set(),
  }: Pick<LaneWish, 'excluded'> & Readonly<{ underWay?: ReadonlySet<string> }>,
): readonly Task[] {
  const aloneFor = findAloneFor(repo.root, plan, { checks: run.config.checks });
  return chooseTasks(plan, { underWay, excluded, aloneFor });
}

type Working = Readonly<{ task: Task; ended: Promise<void> }>;

/** One stretch of side-by-side work. `planHash`: of the plan that its tasks come from. */
export class Shift {
  readonly #lanes: Lanes;
  readonly #asked: LaneWish;
  readonly #planHash: string;
  readonly #working = new Map<number, Working>();
  readonly #ends: EndedTask[] = [];
  readonly #ahead: Promise<unknown>[] = [];
  #failure: Readonly<{ error: unknown }> | undefined;
  #begun = 0;
  /** A session has shown that the agent works, or had the time to. */
  #isTried = false;

  constructor(lanes: Lanes, asked: LaneWish, planHash: string) {
    this.#lanes = lanes;
    this.#asked = asked;
    this.#planHash = planHash;
  }

  async work(): Promise<readonly EndedTask[]> {
    const { run } = this.#lanes.trunk;
    for (;;) {
      this.#lanes.width.now = this.#working.size;
      if (this.#mayBegin()) await this.#begin();
      if (this.#working.size === 0) break;
      const ends = [...this.#working.values()].map(({ ended }) => ended);
      // Once the run is stopping, only the ends count.
      if (run.signal.aborted) await Promise.race(ends);
      else await Promise.race([...ends, once(AbortSignal.any([run.signal, run.wake()]))]);
    }
    await Promise.allSettled(this.#ahead);
    if (this.#failure) throw this.#failure.error;
    return this.#ends;
  }

  /** Nothing new begins while the run is stopping, is paused, or is about to be re-planned. */
  #mayBegin(): boolean {
    const { trunk } = this.#lanes;
    const { pause } = trunk.run.state();
    if (this.#failure || trunk.run.signal.aborted || pause) return false;
    return !this.#ends.some(({ end }) => !goesOn(trunk, end)) && !this.#isPlanEdited();
  }

  #isPlanEdited(): boolean {
    const { trunk } = this.#lanes;
    // Only what a person requested or committed counts: other changes to the plan's file are undone.
    if (readPlanEdit(trunk.run.folder) !== undefined) return true;
    const { plan } = trunk.run.state();
    const now = hashPlan(readText(trunk.plan.file));
    return now !== this.#planHash && now !== plan?.hash;
  }

  async #begin(): Promise<void> {
    const { trunk } = this.#lanes;
    const jobs = this.#width();
    const ended = this.#ends.filter(({ end }) => end.kind !== 'closed').map(({ task }) => task.id);
    const over = new Set([...this.#asked.excluded, ...ended]);
    for (const [number, { id }] of listBegun(trunk)) {
      if (over.has(id)) continue;
      const task = readPlanSnapshot(trunk).plan.tasks.find((one) => one.id === id);
      if (this.#working.size >= jobs) break;
      if (task && !this.#working.has(number) && hasLane(trunk, number)) this.#start(number, task);
    }
    // A verdict whose consequence a kill prevented is acted on before anything else begins.
    if ([...this.#working.values()].some(({ task }) => isEndOwed(stateOf(trunk, task)))) return;
    const { plan } = readPlanSnapshot(trunk);
    const underWay = new Set([...this.#working.values()].map(({ task }) => task.id));
    const set = plan.tasks.filter((task) => isSetAside(trunk, task)).map(({ id }) => id);
    const excluded = new Set([...over, ...set]);
    const chosen = chosenOf(trunk, plan, { excluded, underWay });
    const most = this.#asked.most - this.#begun;
    this.#lanes.width.now = Math.min(jobs, this.#working.size + Math.min(chosen.length, most));
    for (const [at, task] of chosen.entries()) {
      if (this.#working.size >= jobs || this.#begun >= this.#asked.most) return;
      this.#begun += 1;
      this.#start(this.#freeLane(), task);
      if (at === 0) this.#openAhead(Math.min(chosen.length - 1, jobs - this.#working.size));
      this.#isTried ||= await awaitFirstSession(trunk.run, [...this.#working.values()][0]?.ended);
      if (!this.#mayBegin()) return;
    }
  }

  /** Makes the lanes of the next tasks while the first session is alone. */
  #openAhead(count: number): void {
    const { ready } = this.#lanes;
    for (let number = 1, left = count; left > 0; number += 1) {
      if (this.#working.has(number)) continue;
      left -= 1;
      // What keeps it from being made is reported when it is needed.
      if (!ready.has(number)) this.#ahead.push(openLane(this.#lanes, number).catch(() => undefined));
    }
  }

  /** Tasks that may take pawl down are worked on one at a time, with nothing beside them. */
  #width(): number {
    const { run } = this.#lanes.trunk;
    const { notices, tasks } = run.state();
    const suspects = listSuspects(run).filter((id) => tasks.get(id)?.standing === 'open');
    if (suspects.length === 0) return Math.min(run.config.jobs, this.#lanes.width.room);
    const which = suspects.length === 1 ? `task ${suspects[0]} was` : `tasks ${suspects.join(', ')} were`;
    const text = `pawl was killed again while ${which} worked on: one task at a time until it is clear which of them causes it`;
    if (!notices.some(({ code }) => code === 'cut-off')) run.emit({ type: 'noticed', code: 'cut-off', text });
    return 1;
  }

  #freeLane(): number {
    const taken = new Set([...this.#working.keys(), ...listBegun(this.#lanes.trunk).keys()]);
    for (let number = 1; ; number += 1) if (!taken.has(number)) return number;
  }

  #start(number: number, task: Task): void {
    const ended = this.#workIn(number, task)
      .then((end) => {
        if (end) this.#ends.push(end);
      })
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#lanes.stop.abort(error);
      })
      .then(() => {
        this.#working.delete(number);
      });
    this.#working.set(number, { task, ended });
  }

  /** Undefined if the lane cannot be made or is gone: the task is done later in another. */
  async #workIn(number: number, task: Task): Promise<EndedTask | undefined> {
    const lane = await this.#open(number);
    if (!lane) return undefined;
    try {
      return await this.#workAt(lane, number, task);
    } catch (error) {
      const { trunk, ready } = this.#lanes;
      if (!(error instanceof Failure) || trunk.run.signal.aborted) throw error;
      if (await isUsable(trunk, lane, number)) throw error;
      loseLane(trunk, number, stateOf(trunk, task), error);
      ready.delete(number);
      this.#begun -= 1;
      return undefined;
    } finally {
      lane.landing?.leave();
    }
  }

  async #open(number: number): Promise<WorkPlace | undefined> {
    try {
      return await openLane(this.#lanes, number);
    } catch (error) {
      const { trunk, width } = this.#lanes;
      const there = trunk.run.state().lanes.size;
      if (!isLack(error)) throw error;
      this.#begun -= 1;
      if (width.room === there) return undefined;
      width.room = there;
      const many =
        there === 0 ? 'No lane' : there === 1 ? 'No more than one lane' : `No more than ${there} lanes`;
      const text = `${many} can be made: ${formatLack(error)}`;
      trunk.run.emit({ type: 'noticed', code: 'no-lanes', text });
      return undefined;
    }
  }

  async #workAt(lane: WorkPlace, number: number, task: Task): Promise<EndedTask> {
    const { trunk } = this.#lanes;
    const isBegun = listBegun(trunk).get(number)?.id === task.id;
    await (isBegun ? bringPlan(lane, task) : bringToHead(this.#lanes, lane));
    const planSnapshot = readPlanSnapshot(lane);
    const own = planSnapshot.plan.tasks.find(({ id }) => id === task.id);
    if (!own) return { task, end: { kind: 'dropped', reason: 'it is no longer in the plan' } };
    const end = isClosed(own)
      ? ({ kind: 'dropped', reason: 'it was ticked by hand' } as const)
      : await workTask(lane, planSnapshot, own);
    return leaveLane(lane, { task: own, end });
  }
}

function isSetAside(trunk: WorkPlace, task: Task): boolean {
  const { standing } = stateOf(trunk, task);
  return standing === 'failed' || standing === 'parked' || standing === 'skipped';
}

function goesOn({ run }: WorkPlace, { kind }: TaskEnd): boolean {
  if (kind === 'closed') return run.config.replan !== 'after-each-task';
  if (kind === 'failed') return run.config.keepGoing && run.config.replan === 'never';
  return kind === 'parked' || kind === 'skipped' || kind === 'dropped';
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
