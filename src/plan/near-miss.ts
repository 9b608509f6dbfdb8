// Task headings at a wrong place or level. Each is an error, because their work would be skipped. headings.ts handles wrong
// wording.
import type { Nodes } from 'mdast';
import { headingText, nearMiss } from './headings.ts';
import type { PlanNote } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

/** Those of a block that is no heading, or below one: in a list item, without a blank behind the `#`, in bold. */
export function hiddenHeadings(block: Nodes, source: Source, isNested = false): PlanNote[] {
  if (block.type === 'blockquote' || (block.type === 'heading' && !isNested)) return [];
  if (block.type === 'heading') {
    const message = nearMiss(headingText(block, source.text), 'it stands inside a list item');
    return message === undefined ? [] : [nearMissNote(block, message, source)];
  }
  if (block.type === 'paragraph') {
    const text = source.text.slice(block.position?.start.offset, block.position?.end.offset);
    const isBold = block.children.length === 1 && block.children[0]?.type === 'strong' && !isNested;
    const hashed = /^[ \t]*#{1,6}(?=[^#\s]).*$/m.exec(text)?.[0];
    const message = isBold
      ? nearMiss(text, 'it is bold text, no heading')
      : hashed && nearMiss(hashed, 'no blank after the `#`');
    return message === undefined ? [] : [nearMissNote(block, message, source)];
  }
  return 'children' in block ? block.children.flatMap((child) => hiddenHeadings(child, source, true)) : [];
}

/** The note on one that was found. */
export function nearMissNote(node: Nodes, message: string, source: Source): PlanNote {
  const offset = node.position?.start.offset ?? 0;
  return noteAt(source, offset, { rule: 'near-miss-heading', severity: 'error', message });
}
