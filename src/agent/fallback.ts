// Which agent of a chain works next when some are at a usage limit. Pure.

/** Epoch milliseconds; `until` is absent if nobody named the reset. */
export type MetLimit = Readonly<{ at: number; until?: number | undefined }>;

export type FallbackGiven = Readonly<{
  /** In order, the intended agent first. */
  chain: readonly string[];
  /** Who worked on it last and keeps it. */
  last?: string | undefined;
  limits: ReadonlyMap<string, MetLimit>;
  now: number;
  /** A nearer reset is waited for, milliseconds. */
  near: number;
  maxWait: number;
}>;

export type FallbackChoice = Readonly<{ agent: string; until?: number }>;

/** How long a limit without a known reset is taken to last. */
export const unknownResetMs = 15 * 60_000;

/**
 * Whoever worked last, or an agent before it. A near reset is waited for, else the next agent works; if all are at a
 * limit, the earliest known reset counts.
 */
export function chooseAgent(given: FallbackGiven): FallbackChoice {
  const { chain, last, now } = given;
  const free = chain.filter((agent) => endOf(given, agent) <= now);
  const current = last !== undefined && chain.includes(last) ? last : (chain[0] ?? '');
  if (free.includes(current)) return { agent: current };
  const [next] = free;
  const isBefore = next !== undefined && chain.indexOf(next) < chain.indexOf(current);
  const end = endOf(given, current);
  const isNear = isKnown(given, current) && end - now <= Math.min(given.near, given.maxWait);
  if (next !== undefined && (isBefore || !isNear)) return { agent: next };
  return isNear ? { agent: current, until: end } : earliest(given);
}

function earliest(given: FallbackGiven): FallbackChoice {
  const ends = given.chain.map((agent) => ({ agent, until: endOf(given, agent) }));
  const inTime = ends.filter(
    ({ agent, until }) => isKnown(given, agent) && until <= given.now + given.maxWait,
  );
  const [first] = (inTime.length > 0 ? inTime : ends).sort((a, b) => a.until - b.until);
  return first ?? { agent: '' };
}

/** When an agent's limit is taken to end; 0: no limit. */
function endOf(given: FallbackGiven, agent: string): number {
  const met = given.limits.get(agent);
  if (!met) return 0;
  return met.until !== undefined && met.until > met.at ? met.until : met.at + unknownResetMs;
}

/** A reset that had passed when the limit was hit says nothing about the next. */
function isKnown({ limits }: FallbackGiven, agent: string): boolean {
  const { at = 0, until } = limits.get(agent) ?? {};
  return until !== undefined && until > at;
}
