// The life of a session as a state machine: which state it is in, and which clocks run. It is told the instant of
// everything (monotonic milliseconds), so it has no clock of its own; it starts, signals and judges nothing.
import type { AgentEvent } from '../event/activity.ts';
import { type ClockName, clocksOf, type Deadline, type LifeClocks, type LifeState } from './clocks.ts';

const defaultQuietMs = 1_000;
/** What a piece of a reply is to the clocks, whatever it is a piece of. */
const piece: readonly AgentEvent[] = [{ type: 'thought', main: true }];
/** An agent that announces work announces its end; the quiet is only for the case that the line is lost. */
const announcedQuietFactor = 15;
/** More open tool calls than any agent has are a runaway stream; the oldest are enough for the clock. */
const maxTools = 1_000;

/** One session's state and instants. */
export class Life {
  #state: LifeState = 'spawned';
  readonly #clocks: LifeClocks;
  readonly #input: 'conversation' | 'prompt';
  /** Nothing but plain text so far, from an agent that may print just that. */
  #plain: boolean;
  /** Instant of the last line that was not an answer to pawl's own question. */
  #lineMs: number;
  /** Instant of the last line. */
  #aliveMs: number;
  #contentMs: number;
  #drainMs = 0;
  #workedMs = 0;
  #workingSinceMs: number | undefined;
  #resultMs: number | undefined;
  /** What comes before the agent begins anew belongs to what was cut off. */
  #isCut = false;
  #announces = false;
  #background: readonly string[] = [];
  readonly #tools = new Map<string, number>();

  constructor(
    clocks: LifeClocks,
    speech: { input: 'conversation' | 'prompt'; plainAnswer: boolean },
    atMs: number,
  ) {
    this.#clocks = clocks;
    this.#input = speech.input;
    this.#plain = speech.plainAnswer;
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
    this.#contentMs = atMs;
  }

  get state(): LifeState {
    return this.#state;
  }

  /** A message of pawl's went out: a turn begins, or (`cuts`) the one that goes on is cut off and begins anew. */
  sent(atMs: number, { cuts = false } = {}): void {
    if (this.#state === 'draining' || this.#state === 'ended') return;
    this.#resultMs = undefined;
    this.#isCut = cuts;
    this.#tools.clear();
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
    this.#contentMs = atMs;
    this.#workingSinceMs ??= atMs;
    if (this.#state !== 'spawned') this.#state = 'working';
  }

  /** A line was read, with what it said. */
  hear(events: readonly AgentEvent[], atMs: number): void {
    if (events.length > 0 && events.every(isReply)) {
      // The agent lives, and watches over its connection itself.
      this.#aliveMs = atMs;
      return;
    }
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
    if (this.#state === 'spawned') this.#state = 'started';
    if (events.some(({ type }) => type === 'started')) this.#isCut = false;
    for (const event of events) this.#take(event, atMs);
    if (events.some((event) => event.type !== 'noise')) this.#getToWork();
  }

  /** A piece of a reply came: the model is at work on it. */
  hearPiece(atMs: number): void {
    this.hear(piece, atMs);
  }

  /** The process is stopped for an inspection. */
  hold(): void {
    if (this.#state === 'idle') this.#state = 'stopped';
  }

  /** Input was closed: from now on the end is awaited. */
  close(atMs: number): void {
    if (this.#state === 'ended') return;
    this.#rest(atMs);
    this.#state = 'draining';
    this.#drainMs = atMs;
  }

  /** The process is gone. */
  end(atMs: number): void {
    this.#rest(atMs);
    this.#state = 'ended';
  }

  /** Takes back time in which pawl itself did not run, so that no clock counts it. */
  forgive(ms: number): void {
    this.#lineMs += ms;
    this.#aliveMs += ms;
    this.#contentMs += ms;
    this.#drainMs += ms;
    if (this.#workingSinceMs !== undefined) this.#workingSinceMs += ms;
    if (this.#resultMs !== undefined) this.#resultMs += ms;
    for (const [id, atMs] of this.#tools) this.#tools.set(id, atMs + ms);
  }

  /** All clocks that run, with the instants they ring. */
  deadlines(): readonly Deadline[] {
    return clocksOf(this.#state, this.#plain).flatMap((clock) => {
      const atMs = this.#deadline(clock);
      return atMs === undefined ? [] : [{ clock, atMs }];
    });
  }

  /** The first clock that has rung by now. A quiet that has passed ends the turn instead. */
  ring(atMs: number): ClockName | undefined {
    for (const deadline of this.deadlines()) {
      if (deadline.atMs > atMs) continue;
      if (deadline.clock !== 'quiet') return deadline.clock;
      this.#endTurn(atMs);
    }
    return undefined;
  }

  #take(event: AgentEvent, atMs: number): void {
    switch (event.type) {
      case 'said':
        if (!event.synthetic) this.#contentMs = atMs;
        return;
      case 'thought':
        this.#contentMs = atMs;
        return;
      case 'tool-started':
        this.#contentMs = atMs;
        if (this.#tools.size < maxTools) this.#tools.set(event.id, atMs);
        return;
      case 'tool-ended':
        this.#contentMs = atMs;
        this.#tools.delete(event.id);
        return;
      case 'background':
        this.#background = event.open;
        return;
      case 'busy':
        this.#announces = true;
        return;
      case 'result':
        this.#contentMs = atMs;
        this.#resultMs = this.#isCut ? undefined : atMs;
        this.#tools.clear();
        return;
      case 'idle':
        // Without a result of its own it is the echo of an earlier turn, or the process before its first work.
        if (this.#resultMs !== undefined && this.#background.length === 0) this.#endTurn(atMs);
        return;
      case 'started':
      case 'heartbeat':
      case 'api-retry':
      case 'model-fallback':
      case 'limit':
      case 'context':
      case 'compacted':
      case 'denied':
      case 'cost':
      case 'reply':
        return;
      case 'noise':
        // To an agent that takes one prompt and answers as it likes, plain text may be the model's own.
        if (this.#input === 'prompt') this.#contentMs = atMs;
        return;
    }
  }

  #endTurn(atMs: number): void {
    if (!this.isAtWork) return;
    this.#rest(atMs);
    this.#state = this.#input === 'conversation' ? 'idle' : 'draining';
    this.#drainMs = atMs;
  }

  #rest(atMs: number): void {
    if (this.#workingSinceMs !== undefined) this.#workedMs += atMs - this.#workingSinceMs;
    this.#workingSinceMs = undefined;
  }

  /** A turn is open and the agent has shown itself. */
  get isAtWork(): boolean {
    return this.#state === 'started' || this.#state === 'working' || this.#state === 'tool-running';
  }

  #isToolOpen(): boolean {
    return this.#tools.size > 0 || (this.#resultMs !== undefined && this.#background.length > 0);
  }

  #getToWork(): void {
    this.#plain = false;
    if (this.isAtWork) this.#state = this.#isToolOpen() ? 'tool-running' : 'working';
  }

  #deadline(clock: ClockName | 'quiet'): number | undefined {
    const clocks = this.#clocks;
    switch (clock) {
      case 'firstEvent':
        return this.#workingSinceMs === undefined ? undefined : this.#lineMs + clocks.firstEventMs;
      case 'silence':
        return this.#aliveMs + clocks.silenceMs;
      case 'api':
        return this.#contentMs + clocks.apiMs;
      case 'tool': {
        const [oldest] = this.#tools.values();
        const sinceMs = this.#plain ? this.#lineMs : (oldest ?? this.#resultMs);
        return sinceMs === undefined ? undefined : sinceMs + clocks.toolMs;
      }
      case 'session':
        return this.#workingSinceMs === undefined
          ? undefined
          : this.#workingSinceMs + clocks.sessionMs - this.#workedMs;
      case 'drain':
        return this.#drainMs + clocks.drainMs;
      case 'quiet': {
        if (this.#resultMs === undefined) return undefined;
        const quietMs = clocks.quietMs ?? defaultQuietMs;
        return this.#lineMs + quietMs * (this.#announces ? announcedQuietFactor : 1);
      }
    }
  }
}

/** An answer to pawl's own question is a sign of the agent's life, not of the model's. */
function isReply(event: AgentEvent): boolean {
  return event.type === 'reply' || event.type === 'cost';
}
