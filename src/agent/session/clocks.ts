// The states of a session and the clocks that run in each.

/** `idle`: between turns. */
export type StateName = 'spawned' | 'working' | 'tool-running' | 'idle' | 'draining' | 'ended';

export type ClockName = 'firstEvent' | 'silence' | 'api' | 'tool' | 'session' | 'drain';

export type StateClocks = Readonly<{
  /** From the first message to the first line. */
  firstEventMs: number;
  /** Nothing at all, not even an answer to pawl's question. */
  silenceMs: number;
  /** No content of the model, despite signs of life. */
  apiMs: number;
  /** One tool call, background work after a result, or no line of plain text. */
  toolMs: number;
  /** Working time in all turns together. */
  sessionMs: number;
  /** From closing its input, or the last result of an agent that takes one prompt, to its exit. */
  drainMs: number;
  /** Of quiet, until a result without an idle event ends the turn. Default 1,000. */
  quietMs?: number;
}>;

export const startMs = { firstEventMs: 90_000, apiMs: 15 * 60_000, toolMs: 60 * 60_000 };

export const endingMs = { drainMs: 15_000, interruptMs: 5_000, termMs: 10_000 };

/** `quiet` ends a turn and is no alarm. */
export type Timer = ClockName | 'quiet';

const running: Readonly<Record<StateName, readonly Timer[]>> = {
  spawned: ['firstEvent', 'session'],
  working: ['silence', 'api', 'session', 'quiet'],
  'tool-running': ['tool', 'session'],
  idle: [],
  draining: ['drain'],
  ended: [],
};

/** `plain`: plain text may all come at the end, so silence means nothing for long. */
export function clocksOf(state: StateName, plain = false): readonly Timer[] {
  return running[plain && (state === 'spawned' || state === 'working') ? 'tool-running' : state];
}
