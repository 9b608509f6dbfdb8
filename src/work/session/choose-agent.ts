// A session's agent: the intended one, or a fallback while this run or another of the person's has met its limit.
import type { Agent } from '../../agent/agent.ts';
import { chooseAgent, type FallbackChoice, type MetLimit } from '../../agent/fallback.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { hasWorked, metLimit } from '../../journal/fold-waits.ts';
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
  const { unusable } = place.run.state();
  const chain = [first, ...others.filter((agent) => !unusable.has(agent))];
  const { maxWait } = place.run.config.limits;
  const { role, task } = duty;
  const own = task && lastSession(place, (one) => one.task === task && one.role === role);
  const last = own && own.insteadOf === first ? own.agent : undefined;
  const limits = limitsOf(place, chain);
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

export function noteLimit({ run }: Place, agent: string, fact: FactOf<'turn-ended'>): void {
  const limit = metLimit(fact) ? run.state().metLimits.get(agent) : undefined;
  if (metLimit(fact) || hasWorked.has(fact.outcome)) run.knownLimits.note(agent, limit);
}

function limitsOf({ run }: Place, chain: readonly string[]): ReadonlyMap<string, MetLimit> {
  const { metLimits, triedAgainAt } = run.state();
  const since = triedAgainAt === undefined ? 0 : Date.parse(triedAgainAt);
  return new Map(
    chain.flatMap((agent) => {
      const elsewhere = run.knownLimits.read(agent);
      const met = [metLimits.get(agent), elsewhere && elsewhere.at > since ? elsewhere : undefined]
        .filter((one) => one !== undefined)
        .sort((a, b) => b.at - a.at)[0];
      return met ? [[agent, met] as const] : [];
    }),
  );
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
  const isUnusable = place.run.state().unusable.has(from);
  const why = name === first ? 'back' : isUnusable ? 'refused' : 'limit';
  const until = why === 'limit' ? limitsOf(place, [from]).get(from)?.until : undefined;
  place.run.emit({ type: 'agent-switched', role, ...defined({ task, until }), from, to: name, why });
}

type Started = FactOf<'session-started'>;

function lastSession({ run }: Place, is: (session: Started) => boolean): Started | undefined {
  return [...run.state().sessions.values()].findLast(({ started }) => is(started))?.started;
}
