// Which task comes next in the run's own tree.
import type { TaskState } from '../journal/state.ts';
import { isInWork } from '../journal/state.ts';
import type { Place } from '../place/place.ts';
import { isChain, isClosed, type Plan, pickTask, type Task } from '../plan/plan.ts';
import { stateOf } from '../work/work.ts';

/**
 * Work left by a stop continues before another task begins: it is in the tree. A failed task stays failed until a person
 * starts the stopped run again, names the task, or gives it new attempts; without `keepGoing` it ends the run.
 */
export function pick(place: Place, plan: Plan, passed: ReadonlySet<string>, except?: Task): Task | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const standingOf = (task: Task) => stateOf(place, task).standing;
  const idsOf = (...standings: readonly TaskState['standing'][]) =>
    open.filter((task) => standings.includes(standingOf(task))).map(({ id }) => id);
  // A task that is open again was answered, or given new attempts, since it was passed.
  const left = open.filter((task) => passed.has(task.id) && standingOf(task) !== 'open').map(({ id }) => id);
  const excluded = new Set([...left, ...idsOf('parked', 'skipped'), ...(except ? [except.id] : [])]);
  const { task: named, from } = place.run.options;
  if (named !== undefined) return open.find(({ id }) => id === named && !excluded.has(id));
  const failed = idsOf('failed');
  if (failed.length > 0 && !place.run.config.keepGoing) return undefined;
  const at = plan.tasks.findIndex(({ id }) => id === from);
  const rest = plan.tasks.slice(Math.max(0, at));
  // If only the order decides what comes first, skipping a task lets the next one come.
  const skipped = new Set(isChain(plan) ? idsOf('skipped') : []);
  const tasks = rest.filter(({ id }) => !skipped.has(id));
  const passedOver = [...excluded, ...failed];
  const others = open.filter((task) => !isInWork(stateOf(place, task))).map(({ id }) => id);
  const pickBut = (ids: readonly string[]) => pickTask({ ...plan, tasks }, new Set(ids));
  return pickBut([...passedOver, ...others]) ?? pickBut(passedOver);
}
