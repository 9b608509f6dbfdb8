// The next task in the run's own tree, and what becomes of work that leaves it.
import { defined } from '../defined.ts';
import { lastInstant } from '../event/run.ts';
import { isAway, isInWork, type TaskStanding } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import { isChain, isClosed, type Plan, pickTask, type Task } from '../plan/plan.ts';
import type { WorkPlace } from '../work/landing.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { restoreStart } from '../work/rescue/rescue-point.ts';
import { sleepUntil } from '../work/wait/wait.ts';
import { stateOf } from '../work/work.ts';

/** `rescue`: its work, if taken out. `isAside`: it has left its lane. */
export type EndedTask = Readonly<{ task: Task; end: TaskEnd; rescue?: string | undefined; isAside?: true }>;

/** If `isNeeded`, or to complete what a kill cut off; a stopped task stays. Returns the rescue commit. */
export async function takeOut(
  place: WorkPlace,
  { task, end }: EndedTask,
  isNeeded: boolean,
): Promise<string | undefined> {
  if (end.kind === 'closed' || end.kind === 'stop') return undefined;
  const state = stateOf(place, task);
  const { start, work } = state;
  if (!start || isAway(state) || !(isNeeded || work.is === 'leaving')) return undefined;
  return restoreStart(place, { start }, `task ${task.id} ${end.kind}`);
}

export function emitEnd({ run }: WorkPlace, { task: { id: task }, end, rescue }: EndedTask): void {
  if (end.kind === 'closed' || end.kind === 'stop') return;
  const as = end.kind === 'replan' || end.kind === 'dropped' ? 'open' : end.kind;
  if (as === 'open' && rescue === undefined) return;
  run.emit({ type: 'task-set-aside', task, as, reason: end.reason, ...defined({ rescue }) });
}

/**
 * Work in the tree comes first. A failed task stays so until a person starts the stopped run again, names it,
 * or gives it attempts; without `keepGoing` it ends the run.
 */
export function pick(place: Place, plan: Plan, passed: ReadonlySet<string>, except?: Task): Task | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const standingOf = (task: Task) => stateOf(place, task).standing.is;
  const idsOf = (...standings: readonly TaskStanding['is'][]) =>
    open.filter((task) => standings.includes(standingOf(task))).map(({ id }) => id);
  // One that is open again was answered, or given attempts.
  const left = open.filter((task) => passed.has(task.id) && standingOf(task) !== 'open').map(({ id }) => id);
  const excluded = new Set([...left, ...idsOf('parked', 'skipped'), ...(except ? [except.id] : [])]);
  const { task: named, from } = place.run.options;
  if (named !== undefined) return open.find(({ id }) => id === named && !excluded.has(id));
  const failed = idsOf('failed');
  if (failed.length > 0 && !place.run.config.keepGoing) return undefined;
  const at = plan.tasks.findIndex(({ id }) => id === from);
  const rest = plan.tasks.slice(Math.max(0, at));
  // Where only order decides, the next must not wait for it.
  const skipped = new Set(isChain(plan) ? idsOf('skipped') : []);
  const tasks = rest.filter(({ id }) => !skipped.has(id));
  const passedOver = [...excluded, ...failed];
  const others = open.filter((task) => !isInWork(stateOf(place, task))).map(({ id }) => id);
  const pickBut = (ids: readonly string[]) => pickTask({ ...plan, tasks }, new Set(ids));
  return pickBut([...passedOver, ...others]) ?? pickBut(passedOver);
}

/** `again`: a person's word may have freed a task. `over`: none came, or no waiting is configured. */
export async function awaitAnswers(place: Place, plan: Plan): Promise<'again' | 'over' | 'interrupted'> {
  const { answerMs = 0, task: only } = place.run.options;
  const asked = plan.tasks.filter((task) => !isClosed(task) && (only ?? task.id) === task.id);
  const asking = () =>
    asked.filter((task) => stateOf(place, task).standing.is === 'parked').map(({ id }) => id);
  const first = asking();
  if (answerMs <= 0 || first.length === 0 || place.run.signal.aborted) return 'over';
  const until = Math.min(place.run.now().getTime() + answerMs, lastInstant);
  const text = `your answer to task ${first.join(', ')}`;
  place.run.emit({ type: 'waiting', why: 'answer', until, text });
  const isAnswered = () => asking().length < first.length;
  // A pause is rested out first, and another wait follows.
  const isCut = () => {
    const { waiting, pause } = place.run.state();
    return isAnswered() || waiting === undefined || pause !== undefined;
  };
  await sleepUntil(place, { until, wakingMs: answerMs }, isCut);
  const { signal } = place.run;
  const goesOn = isAnswered() || place.run.state().pause !== undefined;
  place.run.emit({ type: 'waited', how: signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  return signal.aborted ? 'interrupted' : goesOn ? 'again' : 'over';
}
