// Works on tasks side by side, each in a lane, once there are two that allow it. What needs the run's own tree, such as an edited
// plan or another planner, waits until the lanes rest.
import { Failure } from '../../failure.ts';
import { isFileChanged } from '../../git/tree/status.ts';
import { isInWork, type TaskState } from '../../journal/state.ts';
import { isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { chooseTasks } from '../../plan/width/choose.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import { workTask } from '../../work/loop/work-task.ts';
import { findAloneFor } from '../../work/must-be-alone.ts';
import { hashPlan, type PlanSnapshot, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { stateOf } from '../../work/work.ts';
import { commitPlanFile } from '../open/commit-plan.ts';
import { bringPlan, bringToHead, isSameTask, startOver, takeOut } from './free-lane.ts';
import { guardTrunk } from './guard-trunk.ts';
import { headOf, noteOthersCommits } from './incoming.ts';
import { hasLane, type Lanes } from './lanes.ts';
import { mayOpen } from './may-open.ts';
import { openLane } from './open-lane.ts';

/** A task as it ended in a lane; `rescue`: its work, where that was taken out. */
export type LaneEnd = Readonly<{ task: Task; end: TaskEnd; rescue?: string }>;

/** How long the first session of a run is alone at most, milliseconds: a login that is refused is told sooner. */
const mostAloneMs = 10_000;

/** Tasks that are not to be begun, and how many may be closed. */
export type Asked = Readonly<{ excluded: ReadonlySet<string>; most: number }>;

/** Works until nothing more can be begun; undefined: no lane is needed, since none was made yet and the plan allows no more than one task now. */
export async function workSideBySide(
  lanes: Lanes,
  { plan }: PlanSnapshot,
  asked: Asked,
): Promise<readonly LaneEnd[] | undefined> {
  const { trunk } = lanes;
  const begun = [...listBegun(trunk)].filter(([, { id }]) => !asked.excluded.has(id));
  if (begun.length === 0) {
    if (chosenOf(trunk, plan, asked).length < fewest(trunk) || !(await mayOpen(lanes))) return undefined;
  }
  await noteOthersCommits(trunk, await headOf(trunk));
  await commitEditedPlan(trunk);
  await dropOthers(lanes, begun);
  const look = await guardTrunk(trunk);
  const shift = new Shift(lanes, { ...asked, look }, hashPlan(readText(trunk.plan.file)));
  const ends = await shift.work().finally(look);
  const [gone] = begun.flatMap(([number]) => (hasLane(trunk, number) ? [] : number));
  if (ends.length > 0 || gone === undefined) return ends;
  throw new Failure('environment', `the folder of lane ${gone} is gone`, {
    hint: 'The same command again begins its task anew, with what was saved of it.',
  });
}

/** How many tasks are worth lanes. From the first lane on a person may do in the run's own tree what they like: it is no place for a task any more. */
function fewest({ run }: WorkPlace): number {
  if (run.state().lanes.size > 0) return 1;
  return run.config.jobs > 1 ? 2 : Number.POSITIVE_INFINITY;
}

/** Lanes have the plan as the branch has it. */
async function commitEditedPlan(trunk: WorkPlace): Promise<void> {
  const { plan, repo, run } = trunk;
  if (!plan.tracked || !(await isFileChanged(repo, plan.name))) return;
  const oid = await commitPlanFile(trunk, plan.name);
  run.emit({ type: 'plan-committed', oid, plan: plan.name });
}

/** A plan that was edited while the run stood still may have another task by the number of one in work. */
async function dropOthers(lanes: Lanes, begun: readonly (readonly [number, TaskState])[]): Promise<void> {
  const { plan } = readPlanSnapshot(lanes.trunk);
  for (const [number, task] of begun) {
    if (isSameTask(plan, task) || !hasLane(lanes.trunk, number)) continue;
    const lane = await openLane(lanes, number);
    if (lane) await startOver(lane, task);
  }
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

function chosenOf(
  { run, repo }: WorkPlace,
  plan: Plan,
  { excluded, underWay = new Set() }: Pick<Asked, 'excluded'> & Readonly<{ underWay?: ReadonlySet<string> }>,
): readonly Task[] {
  const aloneFor = findAloneFor(repo.root, plan, { checks: run.config.checks });
  return chooseTasks(plan, { underWay, excluded, aloneFor });
}

type Working = Readonly<{ task: Task; ended: Promise<void> }>;

/** `look`: looks after the run's own tree. */
type Watched = Asked & Readonly<{ look: () => Promise<void> }>;

/** One stretch of work side by side. */
class Shift {
  readonly #lanes: Lanes;
  readonly #asked: Watched;
  readonly #planHash: string;
  readonly #working = new Map<number, Working>();
  readonly #ends: LaneEnd[] = [];
  #failure: Readonly<{ error: unknown }> | undefined;
  #begun = 0;

  constructor(lanes: Lanes, asked: Watched, planHash: string) {
    this.#lanes = lanes;
    this.#asked = asked;
    this.#planHash = planHash;
  }

  async work(): Promise<readonly LaneEnd[]> {
    const { run } = this.#lanes.trunk;
    for (;;) {
      if (this.#mayBegin()) await this.#begin();
      if (this.#working.size === 0) break;
      const ends = [...this.#working.values()].map(({ ended }) => ended);
      // Once the run stops only the ends count.
      if (run.signal.aborted) await Promise.race(ends);
      else await Promise.race([...ends, once(AbortSignal.any([run.signal, run.wake()]))]);
      await this.#asked.look();
    }
    if (this.#failure) throw this.#failure.error;
    return this.#ends;
  }

  /** Nothing new begins while the run stops, rests, or is to have another plan. */
  #mayBegin(): boolean {
    const { trunk } = this.#lanes;
    const { pause } = trunk.run.state();
    if (this.#failure || trunk.run.signal.aborted || pause) return false;
    return !this.#ends.some(({ end }) => !goesOn(trunk, end)) && !this.#isPlanEdited();
  }

  #isPlanEdited(): boolean {
    const { trunk } = this.#lanes;
    const { plan } = trunk.run.state();
    const now = hashPlan(readText(trunk.plan.file));
    return now !== this.#planHash && now !== plan?.hash;
  }

  async #begin(): Promise<void> {
    const { trunk } = this.#lanes;
    const { jobs } = trunk.run.config;
    for (const [number, { id }] of listBegun(trunk)) {
      if (this.#asked.excluded.has(id)) continue;
      const task = readPlanSnapshot(trunk).plan.tasks.find((one) => one.id === id);
      if (this.#working.size >= jobs) return;
      if (task && !this.#working.has(number) && hasLane(trunk, number)) await this.#start(number, task);
    }
    const { plan } = readPlanSnapshot(trunk);
    const underWay = new Set([...this.#working.values()].map(({ task }) => task.id));
    const ended = this.#ends.filter(({ end }) => end.kind !== 'closed').map(({ task }) => task.id);
    const set = plan.tasks.filter((task) => isSetAside(trunk, task)).map(({ id }) => id);
    const excluded = new Set([...this.#asked.excluded, ...ended, ...set]);
    for (const task of chosenOf(trunk, plan, { excluded, underWay })) {
      if (this.#working.size >= jobs || this.#begun >= this.#asked.most) return;
      this.#begun += 1;
      await this.#start(this.#freeLane(), task);
      if (!(await this.#hasSpoken())) return;
    }
  }

  #freeLane(): number {
    const taken = new Set([...this.#working.keys(), ...listBegun(this.#lanes.trunk).keys()]);
    for (let number = 1; ; number += 1) if (!taken.has(number)) return number;
  }

  /** The first session of a run shows alone whether the agent can work at all; one that says nothing of itself is given a while. */
  async #hasSpoken(): Promise<boolean> {
    const { run } = this.#lanes.trunk;
    const spoke = () => [...run.state().sessions.values()].some(({ ready }) => ready);
    const first = [...this.#working.values()][0];
    let isOver = false;
    void first?.ended.then(() => {
      isOver = true;
    });
    for (let waited = 0; waited < mostAloneMs && !spoke() && !isOver && !run.signal.aborted; waited += 50)
      await run.sleep(50, run.signal);
    return this.#mayBegin();
  }

  async #start(number: number, task: Task): Promise<void> {
    const ended = this.#workIn(number, task)
      .then((end) => {
        this.#ends.push(end);
      })
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#lanes.stop.abort(error);
      })
      .then(() => {
        this.#working.delete(number);
      });
    this.#working.set(number, { task, ended });
    await Promise.resolve();
  }

  async #workIn(number: number, task: Task): Promise<LaneEnd> {
    const lane = await openLane(this.#lanes, number);
    if (!lane) throw new Error('no lane can be made');
    try {
      return await this.#workAt(lane, number, task);
    } finally {
      lane.landing?.leave();
    }
  }

  async #workAt(lane: WorkPlace, number: number, task: Task): Promise<LaneEnd> {
    const { trunk } = this.#lanes;
    const isBegun = listBegun(trunk).get(number)?.id === task.id;
    await (isBegun ? bringPlan(lane, task) : bringToHead(trunk, lane));
    const planSnapshot = readPlanSnapshot(lane);
    const own = planSnapshot.plan.tasks.find(({ id }) => id === task.id);
    if (!own) return { task, end: { kind: 'dropped', reason: 'it is no longer in the plan' } };
    const end = isClosed(own)
      ? ({ kind: 'dropped', reason: 'it was ticked by hand' } as const)
      : await workTask(lane, planSnapshot, own);
    return { task: own, end, ...(await takeOut(lane, own, end)) };
  }
}

function isSetAside(trunk: WorkPlace, task: Task): boolean {
  const { standing } = stateOf(trunk, task);
  return standing === 'failed' || standing === 'parked' || standing === 'skipped';
}

/** Whether others may begin after such an end. */
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
