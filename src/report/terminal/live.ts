// What a run is doing right now, for the status line: a fold over all events, activity included, that forgets what has
// ended.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import { capsInForce } from '../../event/caps.ts';
import type { Event, Fact, FactOf, Stamped } from '../../event.ts';
import { formatToolDetail } from '../text/figure.ts';
import { isApiEquivalent } from '../text/run-words.ts';
import { doingNames, type LiveActivity, type LiveRun, without } from './live-state.ts';

/** The state after one more event. */
export function foldLive(live: LiveRun, event: Stamped<Event>): LiveRun {
  const atMs = Date.parse(event.at);
  if (event.type === 'activity') return foldActivity(live, event, atMs);
  return (
    foldCourse(live, event, atMs) ?? foldTask(live, event, atMs) ?? foldSession(live, event, atMs) ?? live
  );
}

/** Starts, ends, phases and waits; undefined if it is none of these. */
function foldCourse(live: LiveRun, event: Stamped<Fact>, atMs: number): LiveRun | undefined {
  switch (event.type) {
    case 'run-started':
      return { ...live, since: atMs, isEquivalent: isApiEquivalent(event.billing) };
    case 'run-resumed':
      return { ...live, since: atMs };
    case 'budgets-set': {
      const capUsd = capsInForce(event).find(({ budget }) => budget === 'cost')?.cap;
      return capUsd === undefined ? without(live, 'capUsd') : { ...live, capUsd };
    }
    case 'phase':
      if (event.state === 'ended') return undefined;
      return { ...without(live, 'task', 'attempt', 'tool', 'check', 'context'), phase: event.phase };
    case 'waiting':
      return { ...without(live, 'tool', 'check'), waiting: { why: event.why, until: event.until } };
    case 'waited':
      return without(live, 'waiting');
    case 'paused':
      return { ...without(live, 'tool', 'check'), pause: { since: atMs } };
    case 'intervention':
      if (event.kind === 'pause') return { ...live, pause: live.pause ?? {} };
      if (event.kind === 'continue') return without(live, 'waiting', 'pause');
      return event.kind === 'answer' && event.task !== undefined
        ? { ...live, ...answered(live, event.task) }
        : undefined;
    case 'run-ended':
      return without(live, 'phase', 'task', 'attempt', 'tool', 'check', 'context', 'waiting', 'pause');
  }
  return undefined;
}

function foldTask(live: LiveRun, event: Stamped<Fact>, atMs: number): LiveRun | undefined {
  switch (event.type) {
    case 'plan-read':
      return {
        ...live,
        tasks: event.tasks.map(({ id }) => id),
        titles: new Map(event.tasks.map(({ id, title }) => [id, title])),
        closed: new Set(event.tasks.flatMap(({ id, closed }) => (closed ? [id] : []))),
      };
    case 'task-started':
      return {
        ...without(live, 'attempt', 'tool', 'check', 'context'),
        task: event.task,
        begun: new Map(live.begun).set(event.task, atMs),
      };
    case 'attempt-started':
      return { ...without(live, 'tool', 'check', 'context'), task: event.task, attempt: event.attempt };
    case 'task-closed':
      return {
        ...without(live, 'attempt', 'tool', 'check', 'context'),
        ...answered(live, event.task),
        ...took(live, event.task, atMs),
        closed: new Set(live.closed).add(event.task),
      };
    case 'task-set-aside':
      return {
        ...without(live, 'attempt', 'tool', 'check', 'context'),
        ...(event.as === 'parked'
          ? { asking: new Map(live.asking).set(event.task, atMs) }
          : answered(live, event.task)),
      };
  }
  return undefined;
}

function answered({ asking }: LiveRun, task: string): Pick<LiveRun, 'asking'> {
  return { asking: new Map([...asking].filter(([id]) => id !== task)) };
}

function took({ begun, tookMs, tasks }: LiveRun, task: string, atMs: number): Partial<LiveRun> {
  const since = begun.get(task);
  return since === undefined || !tasks.includes(task) ? {} : { tookMs: [...tookMs, atMs - since] };
}

function foldSession(live: LiveRun, event: Stamped<Fact>, atMs: number): LiveRun | undefined {
  switch (event.type) {
    case 'correction-sent':
      return without(live, 'turnOver');
    case 'check-started':
      return { ...live, check: { command: event.command, since: atMs } };
    case 'check-ended':
      return without(live, 'check');
    case 'session-started':
      return {
        ...without(live, 'tool', 'context', 'turnOver'),
        session: event.session,
        folder: event.cwd,
        open: new Set([...live.open, event.session]),
      };
    case 'session-cost':
      return withCost(live, event.session, event.costUsd);
    case 'session-ended':
      return endSession(live, event);
    case 'turn-ended':
      return { ...without(live, 'tool'), ...defined({ context: event.contextShare }), turnOver: atMs };
    case 'limit-seen':
      return withLimit(
        event.window === undefined ? live : { ...live, isEquivalent: true },
        event.window ?? 'limit',
        event.utilization,
      );
  }
  return undefined;
}

function foldActivity(
  live: LiveRun,
  { session, event }: { session: number; event: AgentEvent },
  atMs: number,
): LiveRun {
  switch (event.type) {
    case 'tool-started':
      if (!event.main) return live;
      return {
        ...live,
        tool: {
          id: event.id,
          name: event.tool,
          detail: formatToolDetail(event.purpose ?? event.detail, live.folder).slice(0, 400),
          since: atMs,
        },
      };
    case 'tool-ended':
      return live.tool?.id === event.id ? without(live, 'tool') : live;
    case 'context':
      return live.contextWindow === undefined
        ? live
        : { ...live, context: Math.min(1, event.tokens / live.contextWindow) };
    case 'result':
      return foldResult(live, session, event);
    case 'cost':
      return withCost(live, session, event.costUsd);
    case 'limit':
      return event.windows.reduce((sum, { name, utilization }) => {
        const isFuller =
          sum.limit === undefined || sum.limit.name === name || (utilization ?? 0) > sum.limit.share;
        return isFuller ? withLimit(sum, name, utilization) : sum;
      }, live);
  }
  return live;
}

function foldResult(live: LiveRun, session: number, event: Extract<AgentEvent, { type: 'result' }>): LiveRun {
  const window = Math.max(0, ...Object.values(event.contextWindows ?? {}));
  return {
    ...(event.costUsd === undefined ? live : withCost(live, session, event.costUsd)),
    ...defined({ contextWindow: window > 0 ? window : undefined, context: event.contextShare }),
  };
}

function withCost(live: LiveRun, session: number, costUsd: number): LiveRun {
  if (live.costs.get(session) === costUsd) return live;
  const costs = new Map(live.costs).set(session, costUsd);
  return { ...live, costs, costUsd: [...costs.values()].reduce((sum, cost) => sum + cost, 0) };
}

function endSession(live: LiveRun, { session, costUsd, costAtLeast }: FactOf<'session-ended'>): LiveRun {
  const open = new Set(live.open);
  open.delete(session);
  const unsure = costAtLeast ? new Set([...live.unsure, session]) : live.unsure;
  const rest = { ...without(live, 'session', 'tool', 'context'), open, unsure };
  return costUsd === undefined ? rest : withCost(rest, session, costUsd);
}

function withLimit(live: LiveRun, name: string, share: number | undefined): LiveRun {
  return share === undefined ? live : { ...live, limit: { name, share } };
}

/** The state after one more event, which may have happened in a lane. */
export function foldLiveLanes(live: LiveRun, event: Stamped<Event>): LiveRun {
  const { lane } = event;
  if (lane === undefined) return foldOutside(live, event);
  const lanes = new Map(live.lanes);
  const { doing, shared } = split(foldLive({ ...split(live).shared, ...lanes.get(lane) }, event));
  if (ending.has(event.type) || doing.task === undefined) lanes.delete(lane);
  else lanes.set(lane, doing);
  return { ...shared, ...split(live).doing, lanes };
}

const ending: ReadonlySet<Event['type']> = new Set(['task-closed', 'task-set-aside', 'lane-closed']);

function foldOutside(live: LiveRun, event: Stamped<Event>): LiveRun {
  const next = foldLive(live, event);
  const isOver = (event.type === 'phase' && event.state === 'started') || event.type === 'run-ended';
  return isOver && live.lanes.size > 0 ? { ...next, lanes: new Map() } : next;
}

function split(live: LiveRun): Readonly<{ doing: LiveActivity; shared: LiveRun }> {
  const shared: Record<string, unknown> = { ...live };
  const doing: Record<string, unknown> = {};
  for (const name of doingNames) {
    if (live[name] !== undefined) doing[name] = live[name];
    delete shared[name];
  }
  return { doing: doing as LiveActivity, shared: shared as LiveRun };
}
