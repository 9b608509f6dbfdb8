// The card of a run: what its header and the list of runs show.
import { defined } from '../../defined.ts';
import type { FactOf, Stamped } from '../../event.ts';
import type { RunFolder } from '../../journal/folder.ts';
import type { Holder } from '../../journal/holder.ts';
import { spentBy, timeTaken } from '../../journal/ledger.ts';
import { isInWork, type RunState, type SessionState } from '../../journal/state.ts';
import { formatExit } from '../../report/events/format-run.ts';
import { judgeStanding } from '../../report/standing/judge-standing.ts';
import { type Card, type InWork, ofStanding, type RepositoryView } from '../view.ts';
import { listNeeds } from './needs.ts';

/** What is known besides the state. `phase`: the last one that began and has not ended. */
export type CardSeen = Readonly<{
  id: string;
  found: Pick<RunFolder, 'run' | 'folder'>;
  repository: RepositoryView;
  holder: Holder | undefined;
  isNewest: boolean;
  phase: string | undefined;
  stuck: ReadonlyMap<string, Stamped<FactOf<'stuck'>>>;
}>;

export function makeCard(state: RunState, seen: CardSeen): Card {
  const { id, repository, found, holder, isNewest, stuck } = seen;
  const spent = spentBy(state);
  const standing = judgeStanding(state, { folder: found.folder, holder, spent });
  const { started } = state;
  const isRunning = standing.state === 'working' || standing.state === 'waiting';
  const isOver = standing.state === 'stopped' || standing.state === 'finished';
  const { exit } = standing;
  return {
    ...pick(standing, ofStanding),
    ...{ id, repository, run: found.run, isNewest, spent, isRunning },
    what: started.review ? 'review' : started.planning ? 'planning' : 'run',
    reasons: standing.reasons ?? [],
    inWork: isOver ? [] : listInWork(state),
    agent: started.agent,
    limits: listLimits(state),
    // Commands from a person while the run is stopped are not work of its own.
    takenMs: timeTaken(state, Date.parse((holder ? undefined : state.ended?.at) ?? state.lastAt)),
    isAtWork: isRunning && state.waiting?.why !== 'answer',
    pausing: standing.pausing ?? false,
    unsettled: standing.review?.unsettled.length ?? 0,
    needs: listNeeds(state, { standing, isNewest, stuck }),
    ...defined({
      exitText: exit === undefined ? undefined : formatExit(exit),
      phase: isOver ? undefined : seen.phase,
      model: lastModel(state) ?? started.model,
    }),
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key]]] : []))) as Pick<T, K>;
}

/** All tasks being worked on, in several lanes if there are any. */
export function listInWork(state: RunState): readonly InWork[] {
  const open = [...state.sessions.values()].filter(({ ended }) => !ended);
  const works = [...state.tasks.values(), ...state.fixes.values()];
  const running = works.filter((task) => open.some(({ started }) => started.task === task.id));
  const begun = works.filter(isInWork).sort((a, b) => (a.start?.at ?? '').localeCompare(b.start?.at ?? ''));
  return (running.length > 0 ? running : begun.slice(-1)).map((task) => {
    const session = open.findLast(({ started }) => started.task === task.id);
    return {
      task: task.id,
      title: task.title,
      attempt: Math.max(1, task.attemptsEver - task.uncounted),
      ...defined({ session: session?.started.session, since: session?.started.at }),
    };
  });
}

function lastModel({ sessions }: RunState): string | undefined {
  return [...sessions.values()].findLast(({ ready }: SessionState) => ready)?.ready?.model;
}

/** The known windows of a subscription; one that has ended means nothing any more. */
function listLimits({ limits, lastAt }: RunState): Card['limits'] {
  return [...limits.values()].flatMap(({ window = '', utilization, resetsAt, at }) =>
    utilization === undefined || (resetsAt !== undefined && resetsAt < Date.parse(lastAt))
      ? []
      : [{ name: window, utilization, at, ...defined({ resetsAt }) }],
  );
}
