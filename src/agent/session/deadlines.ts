// When each clock of a session expires, from the times it counts from (monotonic milliseconds, given by the caller).
import type { ClockName, StateClocks } from './clocks.ts';

const defaultQuietMs = 1_000;
/** An agent that announces work announces its end; the quiet is only for the case that the line is lost. */
const announcedQuietFactor = 15;
/** More open tool calls than any agent has are a runaway stream; the oldest are enough for the clock. */
const maxTools = 1_000;

/** One session's deadlines. */
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

  /** A message of pawl's went out: what was open is over, and work begins if it had not. */
  begin(atMs: number): void {
    this.#resultMs = undefined;
    this.#tools.clear();
    this.line(atMs);
    this.content(atMs);
    this.#workingSinceMs ??= atMs;
  }

  /** A sign of the process's life. */
  alive(atMs: number): void {
    this.#aliveMs = atMs;
  }

  /** A line that counts as the agent's own. */
  line(atMs: number): void {
    this.#lineMs = atMs;
    this.#aliveMs = atMs;
  }

  /** A word or deed of the model. */
  content(atMs: number): void {
    this.#contentMs = atMs;
  }

  /** A tool call was opened. */
  openTool(id: string, atMs: number): void {
    if (this.#tools.size < maxTools) this.#tools.set(id, atMs);
  }

  /** It has ended. */
  closeTool(id: string): void {
    this.#tools.delete(id);
  }

  /** A result came, and no tool is open any more; of work that was cut off (`counts` false) it is none. */
  result(atMs: number, counts: boolean): void {
    this.#contentMs = atMs;
    this.#resultMs = counts ? atMs : undefined;
    this.#tools.clear();
  }

  /** Nobody works from now on. */
  rest(atMs: number): void {
    if (this.#workingSinceMs !== undefined) this.#workedMs += atMs - this.#workingSinceMs;
    this.#workingSinceMs = undefined;
  }

  /** From now on the end is awaited. */
  drain(atMs: number): void {
    this.#drainMs = atMs;
  }

  get hasResult(): boolean {
    return this.#resultMs !== undefined;
  }

  get hasOpenTool(): boolean {
    return this.#tools.size > 0;
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

  /** When a clock rings; undefined: what it counts from has not come. `plain`: nothing but plain text so far. `announces`: the agent says when it works and when not. */
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
