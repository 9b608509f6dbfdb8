// What a run does right now beyond its folded facts.
import type { AgentEvent } from '../../event/activity.ts';
import type { Event, OfLane, Stamped } from '../../event.ts';
import { formatToolDetail } from '../text/figure.ts';

/** Times are epoch milliseconds. */
type LiveSession = Readonly<{
  tool?: Readonly<{ id: string; name: string; detail: string; since: number }> | undefined;
  /** When the agent's turn was over; absent while it works. */
  turnOver?: number | undefined;
  isInLane: boolean;
}>;

export type LiveRun = Readonly<{
  sessions: ReadonlyMap<number, LiveSession>;
  /** By task; '' is none. */
  checks: ReadonlyMap<string, Readonly<{ command: string; since: number }>>;
}>;

export const nothingYet: LiveRun = { sessions: new Map(), checks: new Map() };

/** `cwd`: the folder of its session. */
export function foldLive(live: LiveRun, event: Stamped<Event> & OfLane, cwd?: string): LiveRun {
  const since = Date.parse(event.at);
  switch (event.type) {
    case 'activity':
      return foldActivity(live, event.session, { event: event.event, since, cwd });
    case 'session-started': {
      const session = { isInLane: event.lane !== undefined };
      return { ...live, sessions: new Map(live.sessions).set(event.session, session) };
    }
    case 'correction-sent':
      return change(live, event.session, { turnOver: undefined });
    case 'turn-ended':
      return change(live, event.session, { tool: undefined, turnOver: since });
    case 'session-ended':
      return { ...live, sessions: without(live.sessions, event.session) };
    case 'check-started': {
      const { command, task = '' } = event;
      return { ...live, checks: new Map(live.checks).set(task, { command, since }) };
    }
    case 'check-ended':
    case 'attempt-started':
    case 'task-closed':
    case 'task-set-aside':
      return { ...live, checks: without(live.checks, event.task ?? '') };
    case 'run-ended':
      return nothingYet;
  }
  return live;
}

function foldActivity(
  live: LiveRun,
  session: number,
  { event, since, cwd }: Readonly<{ event: AgentEvent; since: number; cwd: string | undefined }>,
): LiveRun {
  if (event.type === 'tool-started' && event.main) {
    const detail = formatToolDetail(event.purpose ?? event.detail, cwd).slice(0, 400);
    return change(live, session, { tool: { id: event.id, name: event.tool, detail, since } });
  }
  const isThis = event.type === 'tool-ended' && live.sessions.get(session)?.tool?.id === event.id;
  return isThis ? change(live, session, { tool: undefined }) : live;
}

function change(live: LiveRun, session: number, by: Partial<LiveSession>): LiveRun {
  const of = live.sessions.get(session);
  return of ? { ...live, sessions: new Map(live.sessions).set(session, { ...of, ...by }) } : live;
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  return map.has(key) ? new Map([...map].filter(([other]) => other !== key)) : map;
}
