// How many columns a text takes at most. Terminals disagree about joined emoji: the widest reading counts, so that a
// cut text never wraps.
import { eastAsianWidth } from 'get-east-asian-width';

export function widthOf(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  // The variation selector that requests an emoji's two columns.
  if (code === 0xfe0f) return 1;
  if (emoji.test(character)) return 2;
  return noWidth.test(character) ? 0 : eastAsianWidth(code);
}

const noWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

/** With `…` if something is missing; no character is split. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (text.length <= columns && plainAscii.test(text)) return text;
  let width = 0;
  let kept = '';
  let fits = '';
  // Only what could fit: a text may be megabytes long.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text.slice(0, columns * 8))) {
    width += widthOf(segment);
    if (width > columns) return `${fits}…`;
    kept += segment;
    if (width < columns) fits = kept;
  }
  return kept.length === text.length ? kept : `${fits}…`;
}

/**
 * Wrapped at blanks, all but the first indented by `hang`; a longer word stays whole. Within `commands` a line ends
 * with a backslash, so that a shell takes what was copied as one command.
 */
export function wrapText(
  text: string,
  columns: number,
  { hang, commands = [] }: Readonly<{ hang: number; commands?: readonly string[] }>,
): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const words = splitWords(text, commands);
  const lines: string[] = [];
  let line = '';
  for (const [at, { word, inCommand }] of words.entries()) {
    const room = words[at + 1]?.inCommand ? columns - 2 : columns;
    if (line !== '' && widthOf(line + word) > room) {
      lines.push(inCommand ? `${line} \\` : line);
      line = ' '.repeat(hang) + word.trimStart();
    } else line += word;
  }
  return [...lines, line];
}

type Word = Readonly<{ word: string /** The blank before it belongs to a command. */; inCommand: boolean }>;

/** With the blanks before them; a quoted part of a command is one word. */
function splitWords(text: string, commands: readonly string[]): readonly Word[] {
  const words: Word[] = [];
  let from = 0;
  let inCommand = false;
  for (const { index } of text.matchAll(/(?<=\S) /g)) {
    const command = findCommand(text, commands, index);
    if (command !== undefined && isQuoted(command)) continue;
    words.push({ word: text.slice(from, index), inCommand });
    from = index;
    inCommand = command !== undefined;
  }
  return [...words, { word: text.slice(from), inCommand }];
}

/** The part before `at` of the command there. */
function findCommand(text: string, commands: readonly string[], at: number): string | undefined {
  for (const command of commands) {
    const start = text.lastIndexOf(command, at);
    if (start !== -1 && at < start + command.length) return text.slice(start, at);
  }
  return undefined;
}

function isQuoted(begun: string): boolean {
  return /^(?:[^'"]|'[^']*'|"[^"]*")*['"][^'"]*$/.test(begun);
}

/** The first column is left-aligned and at most `most` wide; a column without any figure (`–`) is left out. */
export function alignRows(rows: readonly (readonly string[])[], most: number): readonly string[] {
  const [head = [], ...body] = rows;
  const kept = head.map((_, at) => at).filter((at) => at === 0 || body.some((row) => row[at] !== '–'));
  const cut = rows.map((row) =>
    kept.map((at) => (at === 0 ? cutToWidth(row[at] ?? '', most) : (row[at] ?? ''))),
  );
  const widths = kept.map((_, at) => Math.max(...cut.map((row) => widthOf(row[at] ?? ''))));
  return cut.map((row) =>
    row
      .map((cell, at) => {
        const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)));
        return at === 0 ? cell + pad : pad + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Made on first use: its tables take 10 ms to load. */
let segmenter: Intl.Segmenter | undefined;
const plainAscii = /^[\x20-\x7e]*$/;
