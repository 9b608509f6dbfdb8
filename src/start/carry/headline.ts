// How far a run is, in a few values, from its journal: for who looks from another machine.
import { defined } from '../../defined.ts';
import { isFinished, isInWork, type RunState } from '../../journal/state.ts';
import type { Headline } from '../../report/standing/format-carried.ts';

/** Its headline; `finished`: as whoever carried it says, by default as its journal does. */
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
      task: task && { id: task.id, title: task.title },
      reasons: state.ended?.reasons.map(({ text }) => text),
    }),
  };
}

function isClosedHere(task: Readonly<{ standing: string }> | undefined): boolean {
  return task?.standing.startsWith('closed') ?? false;
}
