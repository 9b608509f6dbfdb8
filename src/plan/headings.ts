// Distinguishes task headings, near misses and other headings by their words, also where markdown sees none.
import type { Heading, Nodes } from 'mdast';
import { isFileName } from './markdown-commands.ts';
import type { PlanNote } from './plan.ts';
import { noteAt, type Source, startOf, writtenIn } from './text-position.ts';

export type HeadingKind =
  | Readonly<{ kind: 'task'; id: string; title: string }>
  | Readonly<{ kind: 'near-miss'; message: string }>
  | Readonly<{ kind: 'checks' }>
  | Readonly<{ kind: 'overview' }>
  | Readonly<{ kind: 'other' }>;

const id = String.raw`(?=[A-Za-z._-]*\d)[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?`;
const taskShape = new RegExp(String.raw`^(?:Task|Iteration)[ \t]+(${id}|[A-Z])[ \t]*:[ \t]*(.*)$`);
const numbered = String.raw`\s*[#№]?\s*(\d(?:[\w.-]*\w)?)(?![\p{L}\p{N}])(.*)$`;
const lettered = String.raw`\s+(${id})\s*[:：](.*)$`;
const nearShapes = [
  new RegExp(`^(?:task|iteration)${numbered}`, 'isu'),
  new RegExp(`^(?:task|iteration)${lettered}`, 'isu'),
];
/** `atx`: begun with `#`, not underlined. */
export function readHeading(text: string, depth: number, atx: boolean): HeadingKind {
  const exact = taskShape.exec(text);
  if (exact && atx && depth >= 2 && depth <= 4) {
    return { kind: 'task', id: exact[1] ?? '', title: (exact[2] ?? '').trim() };
  }
  const slip = nearMiss(
    text,
    exact === null ? undefined : atx ? `depth ${depth} is not 2 to 4` : 'it is underlined',
  );
  if (slip !== undefined) return { kind: 'near-miss', message: slip };
  if (/^(?:validation commands|checks)[\s:]*$/i.test(text)) return { kind: 'checks' };
  return { kind: /^overview[\s:]*$/i.test(text) ? 'overview' : 'other' };
}

/** Why it is no task heading, and what to write; undefined if the text has no such form. */
export function nearMiss(text: string, knownReason?: string): string | undefined {
  const bare = text.replace(/[*_`~]/g, '').replace(/^[^\p{L}\p{N}]+/u, '');
  const match = nearShapes.map((shape) => shape.exec(bare)).find((found) => found !== null);
  const [, number, rest = ''] = match ?? [];
  if (number === undefined) return undefined;
  const title = rest.replace(/^[\s:：.)–—-]+/, '').trim() || 'title';
  const reason = knownReason ?? slipOf(text, bare, number);
  return `looks like a task but is not one (${reason}): write \`### Task ${number}: ${title}\``;
}

function slipOf(text: string, bare: string, number: string): string {
  if (/^[*_`~]/.test(text)) return 'it is marked up';
  if (!/^(?:task|iteration)/i.test(text)) return 'something comes before the word';
  if (/[*_`~]/.test(text.slice(0, text.indexOf(number) + number.length + 2))) return 'it is marked up';
  if (!/^(?:Task|Iteration)/.test(bare)) return 'it is not spelled `Task`';
  if (!/^(?:Task|Iteration)\s+\d/.test(bare)) return 'there is no space before the number';
  return 'no colon after the number';
}

export function headingText(heading: Heading, text: string): string {
  const parts = heading.children.map((child) => {
    const isComment = child.type === 'html' && child.value.startsWith('<!--');
    return isComment ? '' : writtenIn(child, { text });
  });
  return parts.join('').trim();
}

export function isAtx(heading: Heading, text: string): boolean {
  return text[startOf(heading)] === '#';
}

export function hiddenHeadings(block: Nodes, source: Source, isNested = false): PlanNote[] {
  if (block.type === 'blockquote' || (block.type === 'heading' && !isNested)) return [];
  if (block.type === 'heading') {
    const message = nearMiss(headingText(block, source.text), 'it is inside a list item');
    return message === undefined ? [] : [nearMissNote(block, message, source)];
  }
  if (block.type === 'paragraph') {
    const text = writtenIn(block, source);
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
  const offset = startOf(node);
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
  const start = startOf(block);
  const lines = writtenIn(block, source).split(/(?<=\n)/);
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
