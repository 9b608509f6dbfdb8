// Whose commits are on the run's branch after a kill: the interrupted session's, or a person's. Pure; where it is uncertain
// the person decides.

/** What is known of a HEAD that is not where the session began. */
export type MovedHead = Readonly<{
  /** Where the session began. */
  start: string;
  head: string;
  /** It stands on `start`. */
  onStart: boolean;
  /** HEAD when nothing of the run was left alive, as the watchdog noted it; absent: nobody was there to look. */
  swept?: string | undefined;
  /** It stands on `swept`. */
  onSwept: boolean;
  /** Committers' times from `start` to `head`, epoch milliseconds. */
  times: readonly number[];
  /** Last sign of life of the session, epoch milliseconds. */
  aliveMs: number;
  /** When this machine was started, epoch milliseconds. */
  bootMs: number;
  /** A person says that they are theirs (`--take-edits`). */
  takes: boolean;
}>;

/** `below`: a person has rewritten what the session began at. `mixed`: a person's stand on the session's. `unsure`: nobody saw. */
export type Whose = 'session' | 'person' | 'below' | 'mixed' | 'unsure';

/** What an agent whose pawl died may still take to end, and clocks may differ by. */
const slackMs = 60_000;

/** Judges it. */
export function judgeWhose(moved: MovedHead): Whose {
  const whose = moved.swept === undefined ? judgeUnseen(moved) : judgeSeen(moved, moved.swept);
  return moved.takes && (whose === 'mixed' || whose === 'unsure') ? 'person' : whose;
}

/** Nothing of the session lived when the watchdog looked: what has moved since, a person moved. */
function judgeSeen({ start, head, onStart, onSwept }: MovedHead, swept: string): Whose {
  if (swept === head) return 'session';
  if (!onStart) return 'below';
  return swept === start || !onSwept ? 'person' : 'mixed';
}

function judgeUnseen({ onStart, times, aliveMs, bootMs }: MovedHead): Whose {
  if (!onStart) return 'session';
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // No process outlives the machine's.
  if (aliveMs < bootMs && first > bootMs) return 'person';
  return last > aliveMs + slackMs ? 'unsure' : 'session';
}
