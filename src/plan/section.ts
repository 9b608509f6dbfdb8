// One task of a document as raw blocks, whatever marks where tasks begin.
import type { RootContent } from 'mdast';

/** A task's place in the document and the blocks that belong to it. */
export type Section = Readonly<{
  id: string;
  title: string;
  /** Offset of its heading, or of its item in a flat list. */
  start: number;
  /** Offset of the end of the heading's line; absent for a list item. */
  headEnd?: number;
  /** Offset between the brackets of a box at the start of its title; the title does not contain it. */
  boxInHeading?: number;
  /** Offset after the last block. */
  end: number;
  blocks: readonly RootContent[];
  /** Sentences in a foreign format that say when it is done. */
  criteria?: readonly string[];
}>;

/** Offset at which the line of a section's heading ends. */
export function endOfLine(text: string, start: number): number {
  return start + (/^[^\n\r]*/.exec(text.slice(start))?.[0].length ?? 0);
}
