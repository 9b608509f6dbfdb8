// Draws and erases the bottom of the terminal; status-line.ts formats it.
import type { Writable } from 'node:stream';
import type { Event, Stamped } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { cutToWidth, widthOf } from '../../width.ts';
import { cleanText, type Line, line, paintLine } from '../text/line.ts';
import { viewRun } from '../view/view-run.ts';
import { foldLive, nothingYet } from './live.ts';
import { statusRows } from './status-line.ts';

/** Shortest time between two drawings. */
export const redrawMs = 200;
const tickMs = 1000;

export type StatusBarOptions = Readonly<{
  stream: Writable;
  /** Understands cursor movement: else no status line and no control character. */
  isTty: boolean;
  /** Asked again at each drawing. */
  columns: () => number;
  /** Default 24. */
  rows?: () => number;
  colour: boolean;
  now: () => number;
  /** Calls back until told to stop; default an unref'd `setInterval`. */
  every?: (ms: number, act: () => void) => () => void;
}>;

/** The cursor rests at the start of the first line: in a narrower window, what wraps is below it and is erased too. */
const erase = '\r\x1b[J';

/** Without a terminal it only writes. */
export class StatusBar {
  readonly #options: StatusBarOptions;
  readonly #stop: () => void;
  #live = nothingYet;
  #state: RunState | undefined;
  #prompt: Prompt | undefined;
  #isStill = false;
  #shown: readonly string[] = [];
  #madeAt = Number.NEGATIVE_INFINITY;
  #madeFor = 0;

  constructor(options: StatusBarOptions) {
    this.#options = options;
    const { every = everyTime, isTty } = options;
    this.#stop = isTty ? every(tickMs, () => this.refresh()) : () => {};
  }

  /** `refresh` or `write` draws it. */
  fold(event: Stamped<Event>, state: RunState): void {
    if (!this.#options.isTty) return;
    this.#state = state;
    const session = event.type === 'activity' ? state.sessions.get(event.session) : undefined;
    this.#live = foldLive(this.#live, event, session?.started.cwd);
    // The receipt follows at once.
    if (event.type === 'run-ended') this.#age();
  }

  /** If something changed and the last drawing is old enough. */
  refresh(): void {
    const before = this.#shown;
    this.#make();
    if (this.#shown.join('\n') !== before.join('\n')) this.#options.stream.write(erase + this.#draw());
  }

  write(text: string): void {
    this.#make();
    this.#options.stream.write((this.#options.isTty ? erase : '') + text + this.#draw());
  }

  /** Shows the line a person types into; undefined: no longer. */
  ask(prompt: Prompt | undefined): void {
    this.#prompt = prompt;
    this.#renew();
  }

  /** Until the next drawing. */
  hide(): void {
    this.#erase();
    this.#age();
  }

  /** Keeps the line off the screen while somebody else uses it. */
  still(isStill: boolean): void {
    this.#isStill = isStill;
    this.#renew();
  }

  close(): void {
    this.#stop();
    this.#erase();
  }

  /** If they are old enough, or were made for another width. */
  #make(): void {
    if (!this.#options.isTty) return;
    const now = this.#options.now();
    const columns = this.#options.columns();
    if (now - this.#madeAt < redrawMs && columns === this.#madeFor) return;
    this.#madeAt = now;
    this.#madeFor = columns;
    // Many terminals wrap when the last column is written. One without a size says that it has none.
    const room = Math.max(1, columns - 1);
    const rows = this.#prompt ? [line('plain', promptLine(this.#prompt, room))] : this.#statusRows(now, room);
    this.#shown = this.#isStill
      ? []
      : rows.map((row) => paintLine(fitRow(row, room), this.#options).trimEnd());
  }

  #statusRows(nowMs: number, columns: number): readonly Line[] {
    if (!this.#state) return [];
    // Half of the terminal is for what was said.
    const most = Math.floor((this.#options.rows?.() ?? 24) / 2);
    const view = viewRun(this.#state, { isHeld: true });
    return statusRows(view, this.#live, { nowMs, columns, most });
  }

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

/** One that is cut has one tone. */
function fitRow(row: Line, room: number): Line {
  return widthOf(row.text) <= room ? row : line(row.tone, cutToWidth(row.text, room - 1));
}

function everyTime(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** `hint`: what ends it. */
export type Prompt = Readonly<{ label: string; text: string; hint: string }>;

const cursor = '▏';

/** The hint is dropped first, then the beginning of the text. */
export function promptLine({ label, text, hint }: Prompt, columns: number): string {
  const head = `${label} › `;
  const whole = `${head}${cleanText(text)}${cursor}`;
  const hinted = `${whole}  ${hint}`;
  if (widthOf(hinted) <= columns) return hinted;
  if (widthOf(whole) <= columns) return whole;
  const room = columns - widthOf(head) - widthOf(cursor) - 1;
  return room < 1 ? cutToWidth(whole, columns) : `${head}…${endOf(cleanText(text), room)}${cursor}`;
}

function endOf(text: string, columns: number): string {
  let end = '';
  for (const character of [...text].reverse()) {
    if (widthOf(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
