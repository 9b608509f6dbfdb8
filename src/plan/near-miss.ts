// Finds parts of a plan in the wrong place: task headings (errors, since their work would be skipped) and checks.
import type { Nodes } from 'mdast';
import { headingText, nearMiss } from './headings.ts';
import { isFileName } from './markdown-commands.ts';
import type { PlanNote } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

export function hiddenHeadings(block: Nodes, source: Source, isNested = false): PlanNote[] {
  if (block.type === 'blockquote' || (block.type === 'heading' && !isNested)) return [];
  if (block.type === 'heading') {
    const message = nearMiss(headingText(block, source.text), 'it is inside a list item');
    return message === undefined ? [] : [nearMissNote(block, message, source)];
  }
  if (block.type === 'paragraph') {
    const text = source.text.slice(block.position?.start.offset, block.position?.end.offset);
    const isBold = block.children.length === 1 && block.children[0]?.type === 'strong' && !isNested;
    const hashed = /^[ \t]*#{1,6}(?=[^#\s]).*$/m.exec(text)?.[0];
    const message = isBold
      ? nearMiss(text, 'it is bold text, not a heading')
      : hashed && nearMiss(hashed, 'no space after the `#`');
    return message === undefined ? [] : [nearMissNote(block, message, source)];
  }
  return 'children' in block ? block.children.flatMap((child) => hiddenHeadings(child, source, true)) : [];
}

export function nearMissNote(node: Nodes, message: string, source: Source): PlanNote {
  const offset = node.position?.start.offset ?? 0;
  return noteAt(source, offset, { rule: 'near-miss-heading', severity: 'error', message });
}

const checkLine = /^[ \t]*[*_]{0,2}(check|verify|acceptance)[*_]{0,2}:[*_]{0,2}[ \t]*`([^`\n]+)`/i;

export function strayChecks(block: Nodes, source: Source, isInItem = false): PlanNote[] {
  if (block.type === 'blockquote') return [];
  if (block.type !== 'paragraph') {
    const isItem = block.type === 'listItem';
    return 'children' in block
      ? block.children.flatMap((child, at) => strayChecks(child, source, isItem && at === 0))
      : [];
  }
  const start = block.position?.start.offset ?? 0;
  const lines = source.text.slice(start, block.position?.end.offset).split(/(?<=\n)/);
  let offset = start;
  return lines.flatMap((text, at) => {
    const place = offset;
    offset += text.length;
    const [, word = '', command = ''] = checkLine.exec(text) ?? [];
    if (command === '' || (at === 0 && isInItem) || isFileName(command)) return [];
    const message = `this \`${word}:\` is not a list item, so it is not a check: write "- check: \`${command}\`" on a line of its own`;
    return [noteAt(source, place, { rule: 'stray-checks', severity: 'warning', message })];
  });
}
