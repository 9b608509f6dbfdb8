// What a run does right now beyond its folded facts.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { Event, OfLane, Stamped } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { formatToolDetail } from '../text/figure.ts';

/** Times are epoch milliseconds. */
export type LiveSession = Readonly<{
  tool?: Readonly<{ id: string; name: string; detail: string; since: number }>;
  costUsd?: number;
  /** How full the context is, 0 to 1; absent until the agent reports its size. */
  context?: number;
  /** When the agent's turn was over; absent while it works. */
  turnOver?: number;
}>;

export type LiveRun = Readonly<{
  sessions: ReadonlyMap<number, LiveSession>;
  /** By lane; 0: in the run's own tree. */
  checks: ReadonlyMap<number, Readonly<{ command: string; since: number }>>;
  contextWindow?: number;
}>;

export const nothingYet: LiveRun = { sessions: new Map(), checks: new Map() };

/** `cwd`: the folder of its session. */
export function foldLive(live: LiveRun, event: Stamped<Event>, cwd?: string): LiveRun {
  const atMs = Date.parse(event.at);
  switch (event.type) {
    case 'activity':
      return foldActivity(live, event.session, { event: event.event, atMs, cwd });
    case 'session-started':
      return withSession(live, event.session, {});
    case 'correction-sent':
      return changeSession(live, event.session, ({ turnOver: _, ...rest }) => rest);
    case 'turn-ended':
      return changeSession(live, event.session, ({ tool: _, ...rest }) => ({
        ...rest,
        ...defined({ context: event.contextShare }),
        turnOver: atMs,
      }));
    case 'session-ended':
      return { ...live, sessions: without(live.sessions, event.session) };
    case 'check-started':
      return {
        ...live,
        checks: new Map(live.checks).set(laneOf(event), { command: event.command, since: atMs }),
      };
    case 'check-ended':
    case 'attempt-started':
    case 'task-closed':
    case 'task-set-aside':
      return { ...live, checks: without(live.checks, laneOf(event)) };
    case 'run-ended':
      return nothingYet;
  }
  return live;
}

/** Since their last fact about it. */
export function withLiveCosts(state: RunState, { sessions }: LiveRun): RunState {
  const known = new Map(state.sessions);
  for (const [number, { costUsd }] of sessions) {
    const session = known.get(number);
    if (session && costUsd !== undefined) known.set(number, { ...session, costUsd });
  }
  return { ...state, sessions: known };
}

function foldActivity(
  live: LiveRun,
  session: number,
  { event, atMs, cwd }: Readonly<{ event: AgentEvent; atMs: number; cwd: string | undefined }>,
): LiveRun {
  const change = (by: (of: LiveSession) => LiveSession) => changeSession(live, session, by);
  switch (event.type) {
    case 'tool-started': {
      if (!event.main) return live;
      const detail = formatToolDetail(event.purpose ?? event.detail, cwd).slice(0, 400);
      return change((of) => ({ ...of, tool: { id: event.id, name: event.tool, detail, since: atMs } }));
    }
    case 'tool-ended':
      return change((of) => {
        const { tool, ...rest } = of;
        return tool?.id === event.id ? rest : of;
      });
    case 'context': {
      const { contextWindow } = live;
      return contextWindow === undefined
        ? live
        : change((of) => ({ ...of, context: Math.min(1, event.tokens / contextWindow) }));
    }
    case 'result': {
      const window = Math.max(0, ...Object.values(event.contextWindows ?? {}));
      const more = defined({ costUsd: event.costUsd });
      return { ...change((of) => ({ ...of, ...more })), ...(window > 0 ? { contextWindow: window } : {}) };
    }
    case 'cost':
      return change((of) => ({ ...of, costUsd: event.costUsd }));
  }
  return live;
}

function changeSession(live: LiveRun, session: number, by: (of: LiveSession) => LiveSession): LiveRun {
  const of = live.sessions.get(session);
  if (of === undefined) return live;
  const next = by(of);
  return next === of ? live : withSession(live, session, next);
}

function withSession(live: LiveRun, session: number, of: LiveSession): LiveRun {
  return { ...live, sessions: new Map(live.sessions).set(session, of) };
}

function without<V>(map: ReadonlyMap<number, V>, key: number): ReadonlyMap<number, V> {
  return map.has(key) ? new Map([...map].filter(([other]) => other !== key)) : map;
}

function laneOf({ lane = 0 }: OfLane): number {
  return lane;
}
