// A session's agent: the intended one, or a fallback while the run has met its limit.
import type { Agent } from '../../agent/agent.ts';
import { chooseAgent, type FallbackChoice } from '../../agent/fallback.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Place } from '../../place/place.ts';

export type Duty = Readonly<{
  role: FactOf<'session-started'>['role'];
  /** Absent: the configured one. */
  agent?: string | undefined;
  /** A piece of work, which stays with the stand-in that began it. */
  task?: string;
}>;

/** `insteadOf`: whose settings a stand-in does not get. */
export type AgentChoice = Readonly<{ agent: Agent; insteadOf?: string }>;

export function chainOf(
  { agent }: Pick<Config, 'agent'>,
  duty: Pick<Duty, 'role' | 'agent'>,
): readonly [string, ...string[]] {
  const first = duty.agent ?? agent.name;
  const fallback = new Set<string>(agent.fallback);
  fallback.delete(first);
  return [first, ...fallback];
}

export function choiceFor(place: Place, duty: Duty): FallbackChoice {
  const [first, ...others] = chainOf(place.run.config, duty);
  if (others.length === 0) return { agent: first };
  const { unusable, metLimits: limits } = place.run.state();
  const chain = [first, ...others.filter((agent) => !unusable.has(agent))];
  const { maxWait } = place.run.config.limits;
  const { role, task } = duty;
  const own = task && lastSession(place, (one) => one.task === task && one.role === role);
  const last = own && own.insteadOf === first ? own.agent : undefined;
  return chooseAgent({ chain, last, limits, now: place.run.now().getTime(), near: fixed.nearMs, maxWait });
}

export function takeAgent(place: Place, duty: Duty): AgentChoice {
  const [first] = chainOf(place.run.config, duty);
  const { agent: name } = choiceFor(place, duty);
  const agent = place.run.agentNamed(name);
  emitSwitch(place, duty, { first, name });
  return name === first ? { agent } : { agent, insteadOf: first };
}

/** Only if the session's stand-in proved unable to work. */
export function findUnusable({ run }: Place, session: number | undefined): string | undefined {
  const { sessions, unusable } = run.state();
  const { agent, insteadOf } = sessions.get(session ?? 0)?.started ?? {};
  return insteadOf !== undefined && agent !== undefined && unusable.has(agent) ? agent : undefined;
}

function emitSwitch(
  place: Place,
  { role, task }: Duty,
  { first, name }: Readonly<{ first: string; name: string }>,
): void {
  const last = lastSession(place, (one) => one.role === role);
  const wasStandIn = last?.insteadOf === first;
  if (wasStandIn ? last.agent === name : name === first) return;
  const from = wasStandIn ? last.agent : first;
  const { unusable, metLimits } = place.run.state();
  const why = name === first ? 'back' : unusable.has(from) ? 'refused' : 'limit';
  const until = why === 'limit' ? metLimits.get(from)?.until : undefined;
  place.run.emit({ type: 'agent-switched', role, ...defined({ task, until }), from, to: name, why });
}

type Started = FactOf<'session-started'>;

function lastSession({ run }: Place, is: (session: Started) => boolean): Started | undefined {
  return [...run.state().sessions.values()].findLast(({ started }) => is(started))?.started;
}
