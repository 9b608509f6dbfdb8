// How far a run is, in a few values from its journal, for people looking from another machine.
import { defined } from '../../defined.ts';
import { lastInstant } from '../../event/run.ts';
import { isFinished, isInWork, type RunState } from '../../journal/state.ts';
import type { Headline } from '../../report/standing/format-carried.ts';
import { formatMoment } from '../../report/text/figure.ts';

/** Its headline; `finished`: according to whoever carried it, by default according to its journal. */
export function headlineOf(state: RunState, finished = isFinished(state)): Headline {
  const { run, plan, title, branch } = state.started;
  const tasks = [...state.tasks.values()];
  const task = tasks.find(isInWork);
  const closed = tasks.filter(({ standing }) => standing.startsWith('closed')).length;
  const before =
    state.plan?.tasks.filter((each) => each.closed && !isClosedHere(state.tasks.get(each.id))) ?? [];
  return {
    ...{ run, plan, title, branch },
    state: finished ? 'finished' : state.ended ? 'stopped' : 'open',
    tasks: { total: tasks.length, closed: closed + before.length },
    ...defined({
      waits: finished ? undefined : waitsOf(state),
      task: task && { id: task.id, title: task.title },
      reasons: state.ended?.reasons.map(({ text }) => text),
    }),
  };
}

/** What keeps it from continuing, as far as known; undefined: nothing. */
function waitsOf({ ended, pause, waiting, tasks }: RunState): readonly string[] | undefined {
  const asked = [...tasks.values()].filter(({ standing }) => standing === 'parked');
  const waits = [
    ...asked.map(({ id, question = '' }) => `task ${id} asks: ${question}`),
    ...(ended || !pause ? [] : [pause.since === undefined ? 'to pause after this session' : 'paused']),
    ...(ended || !waiting || asked.length > 0 ? [] : [describeWaiting(waiting)]),
  ];
  return waits.length === 0 ? undefined : waits;
}

function describeWaiting({ until, text }: NonNullable<RunState['waiting']>): string {
  return until >= lastInstant ? text : `${text}, until ${formatMoment(until)}`;
}

function isClosedHere(task: Readonly<{ standing: string }> | undefined): boolean {
  return task?.standing.startsWith('closed') ?? false;
}
