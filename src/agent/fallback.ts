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
  const limits = chain.map((agent) => ({ agent, ...limitOf(given.limits.get(agent)) }));
  const at = Math.max(0, last === undefined ? -1 : chain.indexOf(last));
  const { agent = '', until = 0, isKnown = false } = limits[at] ?? {};
  if (until <= now) return { agent };
  const next = limits.findIndex((one) => one.until <= now);
  const isNear = isKnown && until - now <= Math.min(given.near, given.maxWait);
  const free = limits[next];
  if (free && (next < at || !isNear)) return { agent: free.agent };
  if (isNear) return { agent, until };
  const inTime = limits.filter((one) => one.isKnown && one.until <= now + given.maxWait);
  const [first] = (inTime.length > 0 ? inTime : limits).toSorted((a, b) => a.until - b.until);
  return { agent: first?.agent ?? agent, until: first?.until ?? until };
}

/** When it is taken to end, 0 for none. A reset that had passed when the limit was hit says nothing about the next. */
function limitOf(met: MetLimit | undefined): Readonly<{ until: number; isKnown: boolean }> {
  if (!met) return { until: 0, isKnown: false };
  const isKnown = met.until !== undefined && met.until > met.at;
  return { until: isKnown ? met.until : met.at + unknownResetMs, isKnown };
}
