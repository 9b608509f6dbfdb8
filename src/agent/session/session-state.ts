// A session as a state machine, and the clocks that run in each state. Times are passed in (monotonic milliseconds).
import type { AgentEvent } from '../../event/activity.ts';
import type { Agent } from '../agent.ts';
import { isOfModel } from './turn-transcript.ts';

const defaultQuietMs = 1_000;
/** An agent that announces work announces its end; the quiet only covers a lost line. */
const announcedQuietFactor = 15;
/** Only a runaway stream has more; the oldest suffice for the clock. */
const maxTools = 1_000;

/** NaN: it has not happened. */
type Times = {
  /** The last, but for answers to pawl. */
  line: number;
  alive: number;
  content: number;
  /** When the work began, as if nothing had come between. */
  work: number;
  result: number;
  drain: number;
};

export class SessionState {
  state: StateName = 'spawned';
  readonly #clocks: StateClocks;
  readonly #followUp: boolean;
  /** Only plain text so far. */
  #plain: boolean;
  readonly #at: Times;
  #workedMs = 0;
  readonly #tools = new Map<string, number>();
  /** What comes before the agent begins again belongs to what was cut off. */
  #isCut = false;
  #announces = false;
  #hasBackground = false;

  constructor(
    clocks: StateClocks,
    { followUp, plainAnswer }: Pick<Agent['can'], 'followUp' | 'plainAnswer'>,
    atMs: number,
  ) {
    this.#clocks = clocks;
    this.#followUp = followUp;
    this.#plain = plainAnswer;
    this.#at = { line: atMs, alive: atMs, content: atMs, work: Number.NaN, result: Number.NaN, drain: atMs };
  }

  get isAtWork(): boolean {
    return this.state === 'working' || this.state === 'tool-running';
  }

  /** `cuts`: the running turn is cut off and begins again. */
  sent(atMs: number, { cuts = false } = {}): void {
    if (this.state === 'draining' || this.state === 'ended') return;
    this.#isCut = cuts;
    this.#tools.clear();
    const work = Number.isNaN(this.#at.work) ? atMs : this.#at.work;
    Object.assign(this.#at, { line: atMs, alive: atMs, content: atMs, work, result: Number.NaN });
    if (this.state !== 'spawned') this.state = 'working';
  }

  hear(events: readonly AgentEvent[], atMs: number): void {
    this.#at.alive = atMs;
    // Signs of the agent, which watches its connection itself, and not of the model.
    const isReply = ({ type }: AgentEvent) => type === 'reply' || type === 'cost';
    if (events.length > 0 && events.every(isReply)) return;
    this.#at.line = atMs;
    if (this.state === 'spawned') this.state = 'working';
    if (events.some(({ type }) => type === 'started')) this.#isCut = false;
    for (const event of events) this.#take(event, atMs);
    if (events.every(({ type }) => type === 'noise')) return;
    this.#plain = false;
    if (this.isAtWork) this.state = this.#isToolOpen() ? 'tool-running' : 'working';
  }

  hearPiece(atMs: number): void {
    this.hear([{ type: 'thought', main: true }], atMs);
  }

  /** Input was closed: the exit is awaited. */
  close(atMs: number): void {
    if (this.state !== 'ended') this.#rest('draining', atMs);
  }

  end(atMs: number): void {
    this.#rest('ended', atMs);
  }

  /** No clock counts time in which pawl did not run. */
  forgive(ms: number): void {
    for (const name of Object.keys(this.#at) as (keyof Times)[]) this.#at[name] += ms;
    for (const [id, atMs] of this.#tools) this.#tools.set(id, atMs + ms);
  }

  deadlines(): readonly Readonly<{ clock: Timer; atMs: number }>[] {
    const at = this.#at;
    const [oldest] = this.#tools.values();
    const clocks = this.#clocks;
    const quietMs = (clocks.quietMs ?? defaultQuietMs) * (this.#announces ? announcedQuietFactor : 1);
    const rings: Readonly<Record<Timer, number>> = {
      firstEvent: Number.isNaN(at.work) ? Number.NaN : at.line + clocks.firstEventMs,
      silence: at.alive + clocks.silenceMs,
      api: at.content + clocks.apiMs,
      tool: (this.#plain ? at.line : (oldest ?? at.result)) + clocks.toolMs,
      session: at.work + clocks.sessionMs - this.#workedMs,
      drain: at.drain + clocks.drainMs,
      quiet: this.#hasResult ? at.line + quietMs : Number.NaN,
    };
    return clocksOf(this.state, this.#plain)
      .map((clock) => ({ clock, atMs: rings[clock] }))
      .filter(({ atMs }) => !Number.isNaN(atMs));
  }

  /** The first that has rung. An elapsed quiet ends the turn instead. */
  ring(atMs: number): ClockName | undefined {
    for (const { clock, atMs: ringsMs } of this.deadlines()) {
      if (ringsMs > atMs) continue;
      if (clock !== 'quiet') return clock;
      this.#endTurn(atMs);
    }
    return undefined;
  }

  #take(event: AgentEvent, atMs: number): void {
    const isPlainWord = event.type === 'noise' && !this.#followUp;
    const isEnd = event.type === 'tool-ended' || event.type === 'result';
    if (isOfModel(event) || isEnd || isPlainWord) this.#at.content = atMs;
    if (event.type === 'busy') this.#announces = true;
    if (event.type === 'background') this.#hasBackground = event.open.length > 0;
    if (event.type === 'tool-started' && this.#tools.size < maxTools) this.#tools.set(event.id, atMs);
    if (event.type === 'tool-ended') this.#tools.delete(event.id);
    if (event.type === 'result') {
      // After cut-off work it is not this turn's.
      this.#at.result = this.#isCut ? Number.NaN : atMs;
      this.#tools.clear();
    }
    // Without a result it echoes an earlier turn, or precedes the first work.
    if (event.type === 'idle' && this.#hasResult && !this.#hasBackground) this.#endTurn(atMs);
  }

  #endTurn(atMs: number): void {
    if (this.isAtWork) this.#rest(this.#followUp ? 'idle' : 'draining', atMs);
  }

  #rest(state: StateName, atMs: number): void {
    if (!Number.isNaN(this.#at.work)) this.#workedMs += atMs - this.#at.work;
    this.#at.work = Number.NaN;
    this.#at.drain = atMs;
    this.state = state;
  }

  get #hasResult(): boolean {
    return !Number.isNaN(this.#at.result);
  }

  #isToolOpen(): boolean {
    return this.#tools.size > 0 || (this.#hasResult && this.#hasBackground);
  }
}

/** `idle`: between turns. */
type StateName = 'spawned' | 'working' | 'tool-running' | 'idle' | 'draining' | 'ended';

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
type Timer = ClockName | 'quiet';

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
