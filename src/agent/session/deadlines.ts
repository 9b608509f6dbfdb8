// When each clock of a session rings, from the times it counts from (monotonic milliseconds, passed in).
import type { ClockName, StateClocks } from './clocks.ts';

const defaultQuietMs = 1_000;
/** An agent that announces its work announces the end too; the quiet only covers a lost line. */
const announcedQuietFactor = 15;
/** More open tool calls than any agent has: a runaway stream. The oldest are enough for the clock. */
const maxTools = 1_000;

export class Deadlines {
  /** Of the last line that was not an answer to pawl's own question. */
  #lineMs: number;
  /** Of the last line. */
  #aliveMs: number;
  #contentMs: number;
  #drainMs = 0;
  #workedMs = 0;
  #workingSinceMs: number | undefined;
  #resultMs: number | undefined;
  readonly #tools = new Map<string, number>();

  constructor(atMs: number) {
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
    this.#contentMs = atMs;
  }

  /** pawl sent a message: whatever was open is over, and work begins if it had not. */
  begin(atMs: number): void {
    this.#resultMs = undefined;
    this.#tools.clear();
    this.line(atMs);
    this.content(atMs);
    this.#workingSinceMs ??= atMs;
  }

  /** A sign of life of the process. */
  alive(atMs: number): void {
    this.#aliveMs = atMs;
  }

  /** A line of the agent's own. */
  line(atMs: number): void {
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
  }

  /** Something the model said or did. */
  content(atMs: number): void {
    this.#contentMs = atMs;
  }

  /** A tool call began. */
  openTool(id: string, atMs: number): void {
    if (this.#tools.size < maxTools) this.#tools.set(id, atMs);
  }

  /** It has ended. */
  closeTool(id: string): void {
    this.#tools.delete(id);
  }

  /** A result came, and no tool is open any more. After cut-off work (`counts` false) it is not this turn's result. */
  result(atMs: number, counts: boolean): void {
    this.#contentMs = atMs;
    this.#resultMs = counts ? atMs : undefined;
    this.#tools.clear();
  }

  /** Nobody is working from now on. */
  rest(atMs: number): void {
    if (this.#workingSinceMs !== undefined) this.#workedMs += atMs - this.#workingSinceMs;
    this.#workingSinceMs = undefined;
  }

  /** From now on the exit is awaited. */
  drain(atMs: number): void {
    this.#drainMs = atMs;
  }

  get hasResult(): boolean {
    return this.#resultMs !== undefined;
  }

  get hasOpenTool(): boolean {
    return this.#tools.size > 0;
  }

  /** Subtracts time in which pawl itself did not run, so that no clock counts it. */
  forgive(ms: number): void {
    this.#lineMs += ms;
    this.#aliveMs += ms;
    this.#contentMs += ms;
    this.#drainMs += ms;
    if (this.#workingSinceMs !== undefined) this.#workingSinceMs += ms;
    if (this.#resultMs !== undefined) this.#resultMs += ms;
    for (const [id, atMs] of this.#tools) this.#tools.set(id, atMs + ms);
  }

  /**
   * When a clock rings; undefined if what it counts from has not happened. `plain`: only plain text so far. `announces`:
   * the agent reports when it is working and when not.
   */
  deadline(
    clock: ClockName | 'quiet',
    clocks: StateClocks,
    { plain, announces }: Readonly<{ plain: boolean; announces: boolean }>,
  ): number | undefined {
    switch (clock) {
      case 'firstEvent':
        return this.#workingSinceMs === undefined ? undefined : this.#lineMs + clocks.firstEventMs;
      case 'silence':
        return this.#aliveMs + clocks.silenceMs;
      case 'api':
        return this.#contentMs + clocks.apiMs;
      case 'tool': {
        const [oldest] = this.#tools.values();
        const sinceMs = plain ? this.#lineMs : (oldest ?? this.#resultMs);
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
        return this.#lineMs + quietMs * (announces ? announcedQuietFactor : 1);
      }
    }
  }
}
