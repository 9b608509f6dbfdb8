// Finds checkbox lines, and lines that only look like one; none in fences, comments and quotes.
import type { Code, Html, ListItem, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { shorten } from '../shorten.ts';
import { oneLine } from './attributes.ts';
import type { Step } from './plan.ts';
import { type Source, startOf, writtenIn } from './text-position.ts';

const box = /(?:[-+*]|\d{1,9}[.)])\s+\[([ \txX])\]/y;
const optionalBox = /(?:[-+*]|\d{1,9}[.)])\s+\[([ \txX])\]\\?\*(?=[ \t])/y;
const gap = String.raw`[\s\p{Default_Ignorable_Code_Point}]`;
const drawnBox = '[☐□▢◻⬜❏❑]\\uFE0F?';
const markedBox = String.raw`\[${gap}{0,4}(?:[xX]|[^\s\w[\]]\uFE0F?)?${gap}{0,4}\](?![([:])`;
const marker = String.raw`(?:[-+*]|\d{1,9}[.)])`;
const almostBox = new RegExp(`^(?:${markedBox}|${drawnBox})`, 'u');
const strayBox = new RegExp(
  `^${gap}*(?:(?:${marker}${gap}*)?\\[(?:${gap}|[xX])\\]|${marker}${gap}+${markedBox}|${drawnBox})(?=${gap}|$)`,
  'u',
);
const cellBox = new RegExp(String.raw`^[ \t]*\|(?:.*\|)?\s*(?:${markedBox}|${drawnBox})(?=[\s|])`, 'u');
const isTicked = /^[^[]*\[\s*[xX]/;

export function readSteps(blocks: readonly Nodes[], source: Source): readonly Step[] {
  const steps: Step[] = [];
  visit({ type: 'root', children: [...blocks] } as Root, (node) => {
    if (node.type === 'blockquote') return SKIP;
    if (node.type === 'listItem') {
      const step = stepOf(node, source);
      if (step) steps.push(step);
    }
    return CONTINUE;
  });
  return steps;
}

/** Notes boxes that markdown does not recognize: once for the whole plan, whose parts are read several times. */
export function noteNoSteps(root: Root, source: Source): void {
  visit(root, (node) => {
    if (node.type === 'blockquote') return SKIP;
    if (node.type === 'paragraph') noteStrays(node, source);
    if (node.type === 'code' && !/^[ \t]*(`{3}|~{3})/.test(writtenIn(node, source)))
      noteStrays(node, source, 1);
    if (node.type === 'listItem' && !stepOf(node, source)) noteItem(node, source);
    if (node.type === 'code' || node.type === 'html') noteUnclosed(node, source);
    return CONTINUE;
  });
}

/** As after a fence within a fence, whose end has ended the outer one. */
const unclosed =
  /^[ \t]*(?:(`{3,}|~{3,})(?![\s\S]*[\n\r][ \t]*\1[`~]*[ \t]*$)|<!--(?![\s\S]*-->)|<(pre|script|style|textarea)\b(?![\s\S]*<\/\2>))/i;
const work = /[\n\r][ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ \txX]\]|#{2,4}[ \t]+(?:Task|Iteration)[ \t])/;

function noteUnclosed(node: Code | Html, source: Source): void {
  const text = writtenIn(node, source);
  if (!unclosed.test(text) || !work.test(text)) return;
  const message =
    'nothing closes this code block, comment or element, so nobody works on the tasks and steps that it hides: close it above them, or write more backticks around a code block that holds another';
  source.note(startOf(node), { rule: 'unclosed', severity: 'error', message });
}

export function stepOf(item: ListItem, source: Source): Step | undefined {
  const isBox = typeof item.checked === 'boolean';
  const step = boxAt(isBox ? box : optionalBox, item, source);
  return step && (isBox ? step : { ...step, optional: true });
}

function noteItem(item: ListItem, source: Source): void {
  const words = item.children[0]?.type === 'paragraph' ? writtenIn(item.children[0], source) : '';
  if (typeof item.checked === 'boolean' || almostBox.test(words)) noteBox(source, startOf(item), words);
}

function boxAt(shape: RegExp, item: ListItem, source: Source): Step | undefined {
  shape.lastIndex = startOf(item);
  const match = shape.exec(source.text);
  if (!match) return undefined;
  const [first] = item.children;
  // If a step begins with markup, the paragraph's own position still includes the box.
  const text = oneLine(source.text.slice(shape.lastIndex, first?.position?.end.offset));
  return {
    text,
    ticked: match[1] === 'x' || match[1] === 'X',
    manual: first?.type === 'paragraph' && hasManualMark(text),
    box: source.placeAt(startOf(item) + match[0].lastIndexOf('[') + 1),
  };
}

/** Anywhere but in code: better a step too many for a person than one that no agent can do. */
export function hasManualMark(text: string): boolean {
  return /\(manual\)/i.test(text.replaceAll(/`[^`]*`/g, '``'));
}

export function withoutManualMark(text: string): string {
  return text.replaceAll(/(`[^`]*`)|\s*\(manual\)/gi, (_, code: string = '') => code).trim() || text;
}

const anyBox = new RegExp(`${markedBox}|${drawnBox}`, 'u');

/** Lines that begin with a box, and rows of a table that hold one. */
function noteStrays(node: Paragraph | Code, source: Source, most = Number.POSITIVE_INFINITY): void {
  const text = writtenIn(node, source);
  if (!anyBox.test(text)) return;
  const start = startOf(node);
  const strays = [...text.matchAll(/[^\r\n]+/g)].filter(({ 0: line, index }) => {
    const isOfItem = index === 0 && almostBox.test(line) && isInItem(source, start);
    return cellBox.test(line) || (strayBox.test(line.trim()) && !isOfItem);
  });
  for (const { 0: line, index } of strays.slice(0, most)) noteBox(source, start + index, line.trim());
}

/** Then the item itself reports the box. */
function isInItem(source: Source, offset: number): boolean {
  const { column } = source.placeAt(offset);
  return /(?:[-+*]|\d{1,9}[.)])\s*$/.test(source.text.slice(offset - column + 1, offset));
}

/** Work that is left, unless it is ticked or says nothing. */
function noteBox(source: Source, offset: number, words: string): void {
  const openBox = oneLine(words).replace(/^[-+*][ \t]+/, '');
  const message = `\`${shorten(openBox, 40)}\` is no step, so nothing tracks it: write \`- [ ] text\`, one space in the box and one after it, on a line of its own`;
  const isOpen = !isTicked.test(openBox) && /[\p{L}\p{N}]/u.test(openBox);
  source.note(offset, {
    rule: 'step-not-a-box',
    severity: 'warning',
    message,
    ...(isOpen ? { openBox } : {}),
  });
}

const leaves =
  /^[\d.\s*_]*manual(?:ly)? (?:checks?|qa|review|steps?|test(?:s|ing)?|validation|verification)\b/i;

/** Below a heading with such words, or in a list right below a label of them. */
export function manualBlocks(blocks: readonly RootContent[], source: Source): ReadonlySet<RootContent> {
  const found = new Set<RootContent>();
  let depth = 7;
  blocks.forEach((block, at) => {
    if (block.type === 'heading' && block.depth <= depth)
      depth = leaves.test(writtenIn(block, source).replace(/^#+/, '')) ? block.depth : 7;
    else if (depth < 7 || (block.type === 'list' && isLabel(blocks[at - 1], source))) found.add(block);
  });
  return found;
}

function isLabel(block: RootContent | undefined, source: Source): boolean {
  if (block?.type !== 'paragraph') return false;
  const words = writtenIn(block, source).trim();
  return leaves.test(words) && /[:*_]$/.test(words);
}
