// The states of a session and the clocks that run in each: names, lengths, meanings.

/** `idle`: the turn is over and the process waits. `stopped`: held while pawl looks at its work. */
export type StateName =
  | 'spawned'
  | 'started'
  | 'working'
  | 'tool-running'
  | 'idle'
  | 'stopped'
  | 'draining'
  | 'ended';

/** A clock; each but `drain` by the name of its setting. */
export type ClockName = 'firstEvent' | 'silence' | 'api' | 'tool' | 'session' | 'drain';

/** How long each clock runs before it rings, milliseconds. */
export type StateClocks = Readonly<{
  /** No line after the first message. */
  firstEventMs: number;
  /** Nothing at all while the model works, no answer to a question of pawl's either. */
  silenceMs: number;
  /** No model content, however many signs of life. */
  apiMs: number;
  /** One tool call open, background work after a result, or no line of a program that prints plain text. */
  toolMs: number;
  /** Working time in all turns together. */
  sessionMs: number;
  /** From the close of input, or the last result of an agent that takes one prompt, to the end. */
  drainMs: number;
  /** Quiet after a result that counts as the end of a turn when no idle event comes. Default 1,000. */
  quietMs?: number;
}>;

/** A clock that runs and the instant it rings; `quiet` ends a turn and is no alarm. */
export type Deadline = Readonly<{ clock: ClockName | 'quiet'; atMs: number }>;

const running: Readonly<Record<StateName, readonly (ClockName | 'quiet')[]>> = {
  spawned: ['firstEvent', 'session'],
  started: ['silence', 'api', 'session', 'quiet'],
  working: ['silence', 'api', 'session', 'quiet'],
  'tool-running': ['tool', 'session'],
  idle: [],
  stopped: [],
  draining: ['drain'],
  ended: [],
};

/** A program that prints plain text may say all of it at its end: its silence means nothing for long. */
const plainRunning: Readonly<Partial<Record<StateName, readonly (ClockName | 'quiet')[]>>> = {
  spawned: ['tool', 'session'],
  started: ['tool', 'session'],
};

/** The clocks that run in a state; `plain` while a program has printed nothing but plain text. */
export function clocksOf(state: StateName, plain = false): readonly (ClockName | 'quiet')[] {
  return (plain ? plainRunning[state] : undefined) ?? running[state];
}
