// A plan's text while it is parsed: lines and columns as editors count them, and what is noted about it.
import type { Nodes, RootContent } from 'mdast';
import type { PlanNote, TextPosition } from './plan.ts';

export type Source = Readonly<{
  text: string;
  /** A byte order mark takes no column. */
  placeAt: (offset: number) => TextPosition;
  note: (offset: number, note: Omit<PlanNote, 'place'>) => void;
  notes: () => readonly PlanNote[];
}>;

const lineEnd = /\r\n|\n|\r/g;

/** Lines end at LF, CRLF or a lone CR, as in markdown. */
export function sourceOf(text: string): Source {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const match of text.matchAll(lineEnd)) starts.push(match.index + match[0].length);
  const placeAt = (offset: number) => placeIn(starts, offset);
  const notes: PlanNote[] = [];
  return {
    text,
    placeAt,
    note: (offset, note) => notes.push({ ...note, place: placeAt(offset) }),
    notes: () => notes,
  };
}

function placeIn(starts: readonly number[], offset: number): TextPosition {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(1, offset - (starts[low] ?? 0) + 1), offset };
}

export type Section = Readonly<{
  id: string;
  title: string;
  /** Offset of its heading, or of its item in a flat list. */
  start: number;
  /** Offset of the end of the heading's line; absent for a list item. */
  headEnd?: number;
  /** Offset between the brackets of a box before its title, which does not contain it. */
  boxInHeading?: number;
  end: number;
  blocks: readonly RootContent[];
  criteria?: readonly string[];
}>;

/** Of a plan's blocks; `to` is exclusive. */
export type Span = Readonly<{ from: number; to: number }>;

export function isIn(spans: readonly Span[], index: number): boolean {
  return spans.some(({ from, to }) => from <= index && index < to);
}

export function startOf(node: Nodes | undefined): number {
  return node?.position?.start.offset ?? 0;
}

export function endOf(node: Nodes | undefined): number {
  return node?.position?.end.offset ?? 0;
}

/** With its marks. */
export function writtenIn(node: Nodes | undefined, { text }: Pick<Source, 'text'>): string {
  return text.slice(startOf(node), endOf(node));
}
