// One task of a document as raw blocks, whatever marks where tasks begin.
import type { RootContent } from 'mdast';

/** A task's place in the document and the blocks that belong to it. */
export type Section = Readonly<{
  id: string;
  title: string;
  /** Offset of its heading, or of its item in a flat list. */
  start: number;
  /** Offset of the heading's line end; absent for an item of a list, and where only sections with boxes are tasks. */
  headEnd?: number;
  /** Offset behind the last block. */
  end: number;
  blocks: readonly RootContent[];
  /** Sentences of a foreign format that say when it is done. */
  criteria?: readonly string[];
}>;
