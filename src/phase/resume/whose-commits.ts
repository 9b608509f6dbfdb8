// Whose commits are on the run's branch after a kill: the interrupted session's or a person's. Pure; if it is uncertain,
// the person decides.

/** What is known about a HEAD that is not where the session began. */
export type MovedHead = Readonly<{
  /** Where the session began. */
  start: string;
  head: string;
  /** It descends from `start`. */
  onStart: boolean;
  /** HEAD when the last process of the run was gone, as noted by the watchdog; absent if nothing was there to look. */
  swept?: string | undefined;
  /** It descends from `swept`. */
  onSwept: boolean;
  /** Committer dates from `start` to `head`, epoch milliseconds. */
  times: readonly number[];
  /** Last sign of life of the session, epoch milliseconds. */
  aliveMs: number;
  /** When this machine booted, epoch milliseconds. */
  bootMs: number;
  /** A person says that the commits are theirs (`--take-edits`). */
  takes: boolean;
}>;

/**
 * `below`: a person has rewritten the commits on which the session began. `mixed`: a person's are on top of the session's.
 * `unsure`: nobody saw.
 */
export type Whose = 'session' | 'person' | 'below' | 'mixed' | 'unsure';

/** How long an agent may live on after its pawl died, plus possible clock differences. */
const slackMs = 60_000;

/** Decides whose they are. */
export function judgeWhose(moved: MovedHead): Whose {
  const whose = moved.swept === undefined ? judgeUnseen(moved) : judgeSeen(moved, moved.swept);
  return moved.takes && (whose === 'mixed' || whose === 'unsure') ? 'person' : whose;
}

/** Nothing of the session was alive when the watchdog looked, so whatever has moved since, a person moved. */
function judgeSeen({ start, head, onStart, onSwept }: MovedHead, swept: string): Whose {
  if (swept === head) return 'session';
  if (!onStart) return 'below';
  return swept === start || !onSwept ? 'person' : 'mixed';
}

function judgeUnseen({ onStart, times, aliveMs, bootMs }: MovedHead): Whose {
  if (!onStart) return 'session';
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // No process survives a reboot.
  if (aliveMs < bootMs && first > bootMs) return 'person';
  return last > aliveMs + slackMs ? 'unsure' : 'session';
}
