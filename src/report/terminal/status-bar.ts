// Draws and erases what is at the bottom of the terminal: the run's status, or what a person types. status-line.ts formats
// it.
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Event, Stamped } from '../../event.ts';
import { type Look, toAscii } from '../text/line.ts';
import { cutToWidth } from '../text/width.ts';
import { foldLiveLanes } from './live.ts';
import { nothingYet } from './live-state.ts';
import { type Prompt, promptLine, statusLines } from './status-line.ts';

/** The shortest time between two drawings of a changed status line, milliseconds. */
export const redrawMs = 200;
const tickMs = 1000;

/** The terminal it is on. */
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
  /** Root of the repository, removed from the beginning of tool calls. Default: nothing is removed. */
  root?: string;
  now: () => number;
  /** Calls back repeatedly until told to stop; default an unref'd `setInterval`. */
  every?: (ms: number, act: () => void) => () => void;
}>;

/** The line at the bottom. */
export type StatusBar = Readonly<{
  /** Takes an event in; `refresh` or `write` draws it. */
  fold(event: Stamped<Event>): void;
  /** Draws again if something changed and the last drawing is old enough. */
  refresh(): void;
  /** Writes whole lines above. */
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

  fold(event: Stamped<Event>): void {
    this.#live = foldLiveLanes(this.#live, event);
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

  /** Makes the line again if it is old enough, or was made for another width. */
  #make(): void {
    const { columns: width, root, unicode = true } = this.#options;
    const now = this.#options.now();
    const columns = width();
    if (now - this.#madeAt < redrawMs && columns === this.#madeFor) return;
    this.#madeAt = now;
    this.#madeFor = columns;
    // One column stays free: many terminals wrap when the last one is written.
    const room = columns - 1;
    const lines = this.#prompt
      ? [promptLine(this.#prompt, room)]
      : statusLines(this.#live, now, { columns: room, root, most: this.#mostLanes() });
    const drawn = this.#isStill ? [] : lines.filter((line) => line !== '');
    // ASCII signs may be wider than the ones they replace.
    this.#shown = unicode ? drawn : drawn.map((line) => toAscii(cutToWidth(toAscii(line), room - 2)));
  }

  /** At least half of the terminal is for what was said. */
  #mostLanes(): number {
    return Math.floor((this.#options.rows?.() ?? 24) / 2) - 1;
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
    const lines = this.#shown.map((line) => paintStatus(line, this.#options)).join('\n');
    return `${lines}\r${above > 0 ? `\x1b[${above}A` : ''}`;
  }

  #erase(): void {
    if (this.#shown.length > 0) this.#options.stream.write(erase);
    this.#shown = [];
  }
}

function paintStatus(text: string, { colour }: Look): string {
  return colour ? styleText('inverse', text, { validateStream: false }) : text;
}

function everyTime(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
