// Draws and erases what is at the bottom of the terminal: the run's status, or what a person types. status-line.ts formats
// it.
import type { Writable } from 'node:stream';
import type { Event, Stamped } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { type Line, type LineLook, line, paintLine, toAscii } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import { foldLive, nothingYet } from './live.ts';
import { type Prompt, promptLine } from './prompt-line.ts';
import { statusRows } from './status-line.ts';

/** The shortest time between two drawings of a changed status line, milliseconds. */
export const redrawMs = 200;
const tickMs = 1000;

export type StatusBarOptions = Readonly<{
  stream: Writable;
  /** A terminal that understands cursor movement: without one there is no status line and no control character. */
  isTty: boolean;
  /** Current width; asked again at each drawing. */
  columns: () => number;
  /** Current height; default 24. */
  rows?: () => number;
  colour: boolean;
  /** Default true; false if the locale is not UTF-8. */
  unicode?: boolean;
  now: () => number;
  /** Calls back repeatedly until told to stop; default an unref'd `setInterval`. */
  every?: (ms: number, act: () => void) => () => void;
}>;

export type StatusBar = Readonly<{
  /** Takes an event in, with the run including it; `refresh` or `write` draws it. */
  fold(event: Stamped<Event>, state: RunState): void;
  /** Draws again if something changed and the last drawing is old enough. */
  refresh(): void;
  write(text: string): void;
  /** Shows the line a person types into instead; undefined: no longer. */
  ask(prompt: Prompt | undefined): void;
  /** Erases the line until the next drawing. */
  hide(): void;
  /** Keeps the line off the screen while somebody else uses it. */
  still(isStill: boolean): void;
  close(): void;
}>;

/** The bottom line of a terminal; without one, only lines are written. */
export function createStatusBar(options: StatusBarOptions): StatusBar {
  return options.isTty ? new DrawnStatusBar(options) : noStatusBar(options.stream);
}

function noStatusBar(stream: Writable): StatusBar {
  const nothing = () => {};
  const refused = { ask: nothing, hide: nothing, still: nothing, close: nothing };
  return { fold: nothing, refresh: nothing, write: (text) => void stream.write(text), ...refused };
}

/**
 * The cursor rests at the start of the first line: if the window gets narrower, what wraps is below it and is erased too.
 */
const erase = '\r\x1b[J';

class DrawnStatusBar implements StatusBar {
  readonly #options: StatusBarOptions;
  readonly #stop: () => void;
  #live = nothingYet;
  #state: RunState | undefined;
  #prompt: Prompt | undefined;
  #isStill = false;
  /** Lines; empty: none. */
  #shown: readonly string[] = [];
  #madeAt = Number.NEGATIVE_INFINITY;
  #madeFor = 0;

  constructor(options: StatusBarOptions) {
    this.#options = options;
    this.#stop = (options.every ?? everyTime)(tickMs, () => this.refresh());
  }

  fold(event: Stamped<Event>, state: RunState): void {
    this.#state = state;
    const session = event.type === 'activity' ? state.sessions.get(event.session) : undefined;
    this.#live = foldLive(this.#live, event, session?.started.cwd);
    // The receipt follows at once, and nothing continues below it.
    if (event.type === 'run-ended') this.#age();
  }

  refresh(): void {
    const before = this.#shown;
    this.#make();
    if (this.#shown.join('\n') !== before.join('\n')) this.#options.stream.write(erase + this.#draw());
  }

  write(text: string): void {
    this.#make();
    this.#options.stream.write(erase + text + this.#draw());
  }

  ask(prompt: Prompt | undefined): void {
    this.#prompt = prompt;
    this.#renew();
  }

  hide(): void {
    this.#erase();
    this.#age();
  }

  still(isStill: boolean): void {
    this.#isStill = isStill;
    this.#renew();
  }

  close(): void {
    this.#stop();
    this.#erase();
  }

  /** Makes the rows again if they are old enough, or were made for another width. */
  #make(): void {
    const { columns: width } = this.#options;
    const now = this.#options.now();
    const columns = width();
    if (now - this.#madeAt < redrawMs && columns === this.#madeFor) return;
    this.#madeAt = now;
    this.#madeFor = columns;
    // One column stays free: many terminals wrap when the last one is written.
    // One without a size says that it has none.
    const room = Math.max(1, columns - 1);
    const rows = this.#prompt ? [line('plain', promptLine(this.#prompt, room))] : this.#statusRows(now, room);
    this.#shown = this.#isStill ? [] : rows.map((row) => paintRow(row, room, this.#options));
  }

  #statusRows(nowMs: number, columns: number): readonly Line[] {
    if (!this.#state) return [];
    // At least half of the terminal is for what was said.
    const most = Math.floor((this.#options.rows?.() ?? 24) / 2);
    return statusRows(this.#state, this.#live, { nowMs, columns, most });
  }

  /** Whatever its age, it is made again the next time. */
  #age(): void {
    this.#madeAt = Number.NEGATIVE_INFINITY;
  }

  #renew(): void {
    this.#age();
    this.refresh();
  }

  #draw(): string {
    const above = this.#shown.length - 1;
    if (above < 0) return '';
    return `${this.#shown.join('\n')}\r${above > 0 ? `\x1b[${above}A` : ''}`;
  }

  #erase(): void {
    if (this.#shown.length > 0) this.#options.stream.write(erase);
    this.#shown = [];
  }
}

/** ASCII signs may be wider than the ones they replace: such a row is cut, and has one tone. */
function paintRow(row: Line, room: number, look: LineLook): string {
  const text = look.unicode === false ? toAscii(row.text) : row.text;
  const fits = widthOf(text) <= room;
  return paintLine(fits ? row : line(row.tone, cutToWidth(text, room - 2)), look).trimEnd();
}

function everyTime(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
