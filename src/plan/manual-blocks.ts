// Which blocks of a task are under words that leave them to a person, such as the heading `Manual Verification`.
import type { RootContent } from 'mdast';
import type { Source } from './text-position.ts';

const leaves =
  /^[\d.\s*_]*manual(?:ly)? (?:checks?|qa|review|steps?|test(?:s|ing)?|validation|verification)\b/i;

/** The blocks below such a heading, and the list right below a line with such words in bold or ending in a colon. */
export function manualBlocks(blocks: readonly RootContent[], source: Source): ReadonlySet<RootContent> {
  const found = new Set<RootContent>();
  let depth = 7;
  blocks.forEach((block, at) => {
    if (block.type === 'heading' && block.depth <= depth)
      depth = leaves.test(wordsOf(block, source).replace(/^#+/, '')) ? block.depth : 7;
    else if (depth < 7 || (block.type === 'list' && isLabel(blocks[at - 1], source))) found.add(block);
  });
  return found;
}

function isLabel(block: RootContent | undefined, source: Source): boolean {
  if (block?.type !== 'paragraph') return false;
  const words = wordsOf(block, source);
  return leaves.test(words) && /[:*_]$/.test(words);
}

function wordsOf(block: RootContent, source: Source): string {
  return source.text.slice(block.position?.start.offset, block.position?.end.offset).trim();
}
