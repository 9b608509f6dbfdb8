// A terminal as small as can be: carriage return, line feed, cursor up, erase below, colours passed over, and lines that wrap. It
// refuses every other control character, so that a test sees what a reporter must not send.
import { Writable } from 'node:stream';

/** A fake terminal of so many columns. */
export class Screen {
  readonly stream: Writable;
  /** Everything that was written, in order. */
  readonly writes: string[] = [];
  columns: number;
  #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.columns = columns;
    this.stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        this.writes.push(text);
        this.#print(text);
        done();
      },
    });
  }

  /** Rows as they stand, without blanks at their ends; the last one is where the cursor rests. */
  get rows(): readonly string[] {
    return this.#rows.map((cells) => cells.join('').trimEnd());
  }

  /** Whether the cursor is at the start of its row. */
  get isAtStart(): boolean {
    return this.#column === 0;
  }

  #print(text: string): void {
    for (const [token] of text.matchAll(/\x1b\[[0-9;]*m|\x1b\[J|\x1b\[\d+A|./gsu)) {
      if (token === '\r') this.#column = 0;
      else if (token === '\n') this.#feed();
      else if (token === '\x1b[J') this.#erase();
      else if (/^\x1b\[\d+A$/.test(token)) this.#row = Math.max(0, this.#row - Number(token.slice(2, -1)));
      else if (token.startsWith('\x1b[')) continue;
      else if (/[\x00-\x1f\x7f-\x9f]/.test(token))
        throw new Error(`control character ${JSON.stringify(token)}`);
      else this.#put(token);
    }
  }

  #put(character: string): void {
    const width = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff01-\uff60]/u.test(
      character,
    )
      ? 2
      : 1;
    if (/\p{M}|\u200d|\ufe0f/u.test(character)) return;
    if (this.#column + width > this.columns) this.#feed();
    const row = this.#rows[this.#row] ?? [];
    while (row.length < this.#column) row.push(' ');
    row[this.#column] = character;
    if (width === 2) row[this.#column + 1] = '';
    this.#column += width;
  }

  #feed(): void {
    this.#row += 1;
    this.#column = 0;
    this.#rows[this.#row] ??= [];
  }

  #erase(): void {
    this.#rows.length = this.#row + 1;
    this.#rows[this.#row]?.splice(this.#column);
  }
}
