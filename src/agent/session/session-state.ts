// A session as a state machine: its state, and which clocks run. Every time is passed in (monotonic milliseconds); starts,
// signals and judges nothing.
import type { AgentEvent } from '../../event/activity.ts';
import { type ClockName, clocksOf, type Deadline, type StateClocks, type StateName } from './clocks.ts';
import { Deadlines } from './deadlines.ts';

const piece: readonly AgentEvent[] = [{ type: 'thought', main: true }];

export class SessionState {
  #state: StateName = 'spawned';
  readonly #clocks: StateClocks;
  readonly #input: 'conversation' | 'prompt';
  /** Only plain text so far, from an agent that may print just that. */
  #plain: boolean;
  readonly #at: Deadlines;
  /** What comes before the agent begins again belongs to what was cut off. */
  #isCut = false;
  #announces = false;
  #background: readonly string[] = [];

  constructor(
    clocks: StateClocks,
    speech: { input: 'conversation' | 'prompt'; plainAnswer: boolean },
    atMs: number,
  ) {
    this.#clocks = clocks;
    this.#input = speech.input;
    this.#plain = speech.plainAnswer;
    this.#at = new Deadlines(atMs);
  }

  get state(): StateName {
    return this.#state;
  }

  /** pawl sent a message: a turn begins, or (`cuts`) the running one is cut off and begins again. */
  sent(atMs: number, { cuts = false } = {}): void {
    if (this.#state === 'draining' || this.#state === 'ended') return;
    this.#isCut = cuts;
    this.#at.begin(atMs);
    if (this.#state !== 'spawned') this.#state = 'working';
  }

  /** A line was parsed into these events. */
  hear(events: readonly AgentEvent[], atMs: number): void {
    if (events.length > 0 && events.every(isReply)) {
      // The agent is alive, and watches its connection itself.
      this.#at.alive(atMs);
      return;
    }
    this.#at.line(atMs);
    if (this.#state === 'spawned') this.#state = 'started';
    if (events.some(({ type }) => type === 'started')) this.#isCut = false;
    for (const event of events) this.#take(event, atMs);
    if (events.some((event) => event.type !== 'noise')) this.#getToWork();
  }

  /** A piece of a reply came: the model is working on it. */
  hearPiece(atMs: number): void {
    this.hear(piece, atMs);
  }

  /** The process is stopped for an inspection. */
  hold(): void {
    if (this.#state === 'idle') this.#state = 'stopped';
  }

  /** Input was closed: from now on the exit is awaited. */
  close(atMs: number): void {
    if (this.#state === 'ended') return;
    this.#at.rest(atMs);
    this.#state = 'draining';
    this.#at.drain(atMs);
  }

  /** The process is gone. */
  end(atMs: number): void {
    this.#at.rest(atMs);
    this.#state = 'ended';
  }

  /** Subtracts time in which pawl itself did not run, so that no clock counts it. */
  forgive(ms: number): void {
    this.#at.forgive(ms);
  }

  /** All running clocks, with the times they ring. */
  deadlines(): readonly Deadline[] {
    const how = { plain: this.#plain, announces: this.#announces };
    return clocksOf(this.#state, this.#plain).flatMap((clock) => {
      const atMs = this.#at.deadline(clock, this.#clocks, how);
      return atMs === undefined ? [] : [{ clock, atMs }];
    });
  }

  /** The first clock that has rung by now. An elapsed quiet ends the turn instead. */
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
      case 'thought':
        if (event.type === 'thought' || !event.synthetic) this.#at.content(atMs);
        return;
      case 'tool-started':
        this.#at.content(atMs);
        this.#at.openTool(event.id, atMs);
        return;
      case 'tool-ended':
        this.#at.content(atMs);
        this.#at.closeTool(event.id);
        return;
      case 'background':
        this.#background = event.open;
        return;
      case 'busy':
        this.#announces = true;
        return;
      case 'result':
        this.#at.result(atMs, !this.#isCut);
        return;
      case 'idle':
        // Without a result of its own it is the echo of an earlier turn, or the process before its first work.
        if (this.#at.hasResult && this.#background.length === 0) this.#endTurn(atMs);
        return;
      case 'started':
      case 'heartbeat':
      case 'api-retry':
      case 'model-fallback':
      case 'limit':
      case 'context':
      case 'compacted':
      case 'denied':
      case 'writes-lost':
      case 'cost':
      case 'reply':
        return;
      case 'noise':
        // For an agent that accepts one prompt and answers in any form, plain text may be the model's own.
        if (this.#input === 'prompt') this.#at.content(atMs);
        return;
    }
  }

  #endTurn(atMs: number): void {
    if (!this.isAtWork) return;
    this.#at.rest(atMs);
    this.#state = this.#input === 'conversation' ? 'idle' : 'draining';
    this.#at.drain(atMs);
  }

  /** A turn is open and the agent has responded. */
  get isAtWork(): boolean {
    return this.#state === 'started' || this.#state === 'working' || this.#state === 'tool-running';
  }

  #isToolOpen(): boolean {
    return this.#at.hasOpenTool || (this.#at.hasResult && this.#background.length > 0);
  }

  #getToWork(): void {
    this.#plain = false;
    if (this.isAtWork) this.#state = this.#isToolOpen() ? 'tool-running' : 'working';
  }
}

/** An answer to pawl's own question is a sign of life of the agent, not of the model. */
function isReply(event: AgentEvent): boolean {
  return event.type === 'reply' || event.type === 'cost';
}
