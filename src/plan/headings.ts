// Distinguishes task headings, near misses and other headings by their words, also where markdown sees none.
import type { Heading, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { isFileName } from './markdown-commands.ts';
import { endOf, type Section, type Source, startOf, writtenIn } from './text-position.ts';

export type HeadingKind =
  | Readonly<{ kind: 'task'; id: string; title: string }>
  | Readonly<{ kind: 'near-miss'; message: string }>
  | Readonly<{ kind: 'checks' | 'overview' | 'other' }>;

/** `index`: among the plan's blocks. */
export type Head = Readonly<{
  index: number;
  heading: Heading;
  depth: number;
  text: string;
  read: HeadingKind;
}>;

export function headsOf(blocks: readonly RootContent[], source: Source): readonly Head[] {
  return blocks.flatMap((heading, index) => {
    if (heading.type !== 'heading') return [];
    const { depth } = heading;
    const text = headingText(heading, source);
    const isAtx = source.text[startOf(heading)] === '#';
    return { index, heading, depth, text, read: readHeading(text, depth, isAtx) };
  });
}

/** Without what its heading says. */
export function sectionBelow(
  [head, ...blocks]: readonly RootContent[],
  { text }: Source,
): Omit<Section, 'id' | 'title'> {
  const start = startOf(head);
  const headEnd = start + (/^[^\n\r]*/.exec(text.slice(start))?.[0].length ?? 0);
  return { start, headEnd, end: endOf(blocks.at(-1) ?? head), blocks };
}

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

function headingText({ children }: Heading, source: Source): string {
  const words = children.filter((child) => child.type !== 'html' || !child.value.startsWith('<!--'));
  return words
    .map((child) => writtenIn(child, source))
    .join('')
    .trim();
}

/** Notes task headings that markdown takes for something else; returns whether there is one. */
export function noteHidden(block: Nodes, source: Source, isNested = false): boolean {
  if (block.type === 'blockquote' || (block.type === 'heading' && !isNested)) return false;
  if (block.type !== 'heading' && block.type !== 'paragraph')
    return (
      'children' in block && block.children.map((child) => noteHidden(child, source, true)).includes(true)
    );
  const message = hiddenIn(block, source, isNested);
  if (message !== undefined) noteNearMiss(block, message, source);
  return message !== undefined;
}

function hiddenIn(block: Heading | Paragraph, source: Source, isNested: boolean): string | undefined {
  if (block.type === 'heading') return nearMiss(headingText(block, source), 'it is inside a list item');
  const text = writtenIn(block, source);
  if (block.children.length === 1 && block.children[0]?.type === 'strong' && !isNested)
    return nearMiss(text, 'it is bold text, not a heading');
  const hashed = /^[ \t]*#{1,6}(?=[^#\s]).*$/m.exec(text)?.[0];
  return hashed && nearMiss(hashed, 'no space after the `#`');
}

export function noteNearMiss(node: Nodes, message: string, source: Source): void {
  source.note(startOf(node), { rule: 'near-miss-heading', severity: 'error', message });
}

const checkLine = /^[ \t]*[*_]{0,2}(check|verify|acceptance)[*_]{0,2}:[*_]{0,2}[ \t]*`([^`\n]+)`/i;

/** Lines of paragraphs that are meant as checks; the first of a list item is one. */
export function noteStrayChecks(blocks: readonly RootContent[], source: Source): void {
  visit({ type: 'root', children: [...blocks] } as Root, (node, index, parent) => {
    if (node.type === 'blockquote') return SKIP;
    if (node.type !== 'paragraph') return CONTINUE;
    const isOfItem = parent?.type === 'listItem' && index === 0;
    for (const line of writtenIn(node, source).matchAll(/[^\n]+/g)) {
      const [, word = '', command = ''] = checkLine.exec(line[0]) ?? [];
      if (command === '' || (line.index === 0 && isOfItem) || isFileName(command)) continue;
      const message = `this \`${word}:\` is not a list item, so it is not a check: write "- check: \`${command}\`" on a line of its own`;
      source.note(startOf(node) + line.index, { rule: 'stray-checks', severity: 'warning', message });
    }
    return SKIP;
  });
}
