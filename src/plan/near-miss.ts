// Finds what was meant as part of a plan but is in the wrong place: task headings (errors, because their work would be
// skipped; headings.ts handles wrong wording), and checks outside a list or under another heading (warnings).
import type { Heading, Nodes } from 'mdast';
import { headingText, nearMiss } from './headings.ts';
import { isFileName } from './markdown-commands.ts';
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

const checkLine = /^[ \t]*[*_]{0,2}(check|verify|acceptance)[*_]{0,2}:[*_]{0,2}[ \t]*`([^`\n]+)`/i;

/** Lines of a task that begin with `Check:` and a command, but begin no list item, so that nothing runs them. */
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
    const message = `this \`${word}:\` begins no list item, so it is no check: write "- check: \`${command}\`" on a line of its own`;
    return [noteAt(source, place, { rule: 'stray-checks', severity: 'warning', message })];
  });
}

/** A section of commands alone, whose heading nearly says that they are checks. */
export function nearChecks(heading: Heading, next: Nodes | undefined, source: Source): PlanNote[] {
  const words = headingText(heading, source.text).replace(/[\s:]+$/, '');
  const isNear =
    /^(?:validation|validate|verification|verify|(?:check|test|validation|verification) ?(?:steps?|commands?))$/i;
  if (!isNear.test(words) || !holdsCommandsAlone(next)) return [];
  const message = `the commands under "${words}" are no checks: name the section \`## Validation Commands\` or \`## Checks\``;
  return [
    noteAt(source, heading.position?.start.offset ?? 0, {
      rule: 'stray-checks',
      severity: 'warning',
      message,
    }),
  ];
}

function holdsCommandsAlone(block: Nodes | undefined): boolean {
  if (block?.type === 'code') return /^(?:sh|bash|shell|zsh)$/i.test(block.lang ?? '');
  if (block?.type !== 'list') return false;
  return block.children.every(({ children: [first], checked }) => {
    const [span] = first?.type === 'paragraph' ? first.children : [];
    return typeof checked !== 'boolean' && span?.type === 'inlineCode';
  });
}
