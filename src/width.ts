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

/** Cut or filled up to exactly so many. */
export function fillWidth(text: string, columns: number): string {
  const cut = cutToWidth(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)));
}

/**
 * Wrapped at blanks, all but the first indented by `hang`; a longer word stays whole, and so does each of `commands`,
 * which is copied.
 */
export function wrapText(
  text: string,
  columns: number,
  { hang, commands = [] }: Readonly<{ hang: number; commands?: readonly string[] }>,
): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const bound = commands.reduce((all, each) => all.replaceAll(each, each.replaceAll(' ', '\0')), text);
  const lines: string[] = [];
  let line = '';
  // A sign stays with what it is about.
  for (const word of bound.split(/(?<=\S)(?<!(?:^|\s)[✓✗☐!])(?= )/)) {
    if (line !== '' && widthOf(line + word) > columns) {
      lines.push(line);
      line = ' '.repeat(hang) + word.trimStart();
    } else line += word;
  }
  return [...lines, line].map((each) => each.replaceAll('\0', ' '));
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
        const wide = widths[at] ?? 0;
        return at === 0 ? fillWidth(cell, wide) : ' '.repeat(Math.max(0, wide - widthOf(cell))) + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Made on first use: its tables take 10 ms to load. */
let segmenter: Intl.Segmenter | undefined;
const plainAscii = /^[\x20-\x7e]*$/;
