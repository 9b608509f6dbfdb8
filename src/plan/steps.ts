// Finds checkbox lines, and lines that only look like one; none in fences, comments and quotes.
import type { Code, ListItem, Nodes, Paragraph, Root } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { oneLine } from './attributes.ts';
import type { PlanNote, Step } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

/** Notes: on boxes that markdown does not recognize. */
export type Steps = Readonly<{ steps: readonly Step[]; notes: readonly PlanNote[] }>;

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

export function readSteps(blocks: readonly Nodes[], source: Source): Steps {
  const steps: Step[] = [];
  const notes: PlanNote[] = [];
  visit({ type: 'root', children: [...blocks] } as Root, (node) => {
    if (node.type === 'blockquote') return SKIP;
    if (node.type === 'paragraph') notes.push(...strayBoxes(node, source));
    if (node.type === 'code') notes.push(...indentedBoxes(node, source));
    if (node.type === 'listItem') {
      const found = readItem(node, source);
      if (found && 'rule' in found) notes.push(found);
      else if (found) steps.push(found);
    }
    return CONTINUE;
  });
  return { steps, notes };
}

function readItem(item: ListItem, source: Source): Step | PlanNote | undefined {
  const start = item.position?.start.offset ?? 0;
  const words = item.children[0]?.type === 'paragraph' ? sliceOf(item.children[0], source) : '';
  if (typeof item.checked !== 'boolean') {
    const optional = boxAt(optionalBox, item, source);
    if (optional) return { ...optional, optional: true };
    const almost = almostBox.exec(words);
    if (!almost) return undefined;
    const message = `\`${almost[0]}\` here is not a checkbox: ${remedyFor(almost[0], words)}`;
    return boxNote(source, start, { message, words });
  }
  const message = 'the box is broken over two lines: write `- [ ] text`';
  return boxAt(box, item, source) ?? boxNote(source, start, { message, words });
}

export function isBoxItem(item: ListItem, source: Source): boolean {
  return typeof item.checked === 'boolean' || boxAt(optionalBox, item, source) !== undefined;
}

function boxAt(shape: RegExp, item: ListItem, source: Source): Step | undefined {
  shape.lastIndex = item.position?.start.offset ?? 0;
  const match = shape.exec(source.text);
  if (!match) return undefined;
  const [first] = item.children;
  // If a step begins with markup, the paragraph's own position still includes the box.
  const text = oneLine(source.text.slice(shape.lastIndex, first?.position?.end.offset));
  return {
    text,
    ticked: match[1] === 'x' || match[1] === 'X',
    manual: first?.type === 'paragraph' && isManual(first),
    box: source.placeAt((item.position?.start.offset ?? 0) + match[0].lastIndexOf('[') + 1),
  };
}

/** Anywhere but in code: better a step too many for a person than one that no agent can do. */
function isManual(paragraph: Paragraph): boolean {
  let isMarked = false;
  visit(paragraph, 'text', ({ value }) => {
    isMarked ||= /\(manual\)/i.test(value);
  });
  return isMarked;
}

export function hasManualMark(text: string): boolean {
  return text.split(/(`[^`]*`)/).some((part, at) => at % 2 === 0 && /\(manual\)/i.test(part));
}

export function withoutManualMark(text: string): string {
  const parts = text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/\s*\(manual\)/gi, '')));
  return parts.join('').trim() || text;
}

function remedyFor(found: string, words: string): string {
  const isWordless = /^\[[ xX]\]\s*$/.test(words);
  if (isWordless) return 'it has no text, so nothing tracks it; write what to do after it';
  const ticked = /x/i.test(found);
  return `write \`- [${ticked ? 'x' : ' '}] text\`, with a space after the box`;
}

function sliceOf(node: Nodes, source: Source): string {
  return source.text.slice(node.position?.start.offset, node.position?.end.offset);
}

function strayBoxes(paragraph: Paragraph, source: Source): PlanNote[] {
  return boxLines(
    paragraph,
    source,
    'is not a list item, so it is not a step: write `- [ ] text` on a line of its own',
  );
}

function indentedBoxes(code: Code, source: Source): PlanNote[] {
  const isFenced = /^[ \t]*(`{3}|~{3})/.test(sliceOf(code, source));
  const message = 'is indented so far that markdown reads it as code: remove the spaces before it';
  return isFenced ? [] : boxLines(code, source, message).slice(0, 1);
}

const anyBox = new RegExp(`${markedBox}|${drawnBox}`, 'u');
const notTracked = 'is not a step: write `- [ ] text` on a line of its own';

function boxLines(node: Paragraph | Code, source: Source, message: string): PlanNote[] {
  const notes: PlanNote[] = [];
  const text = sliceOf(node, source);
  if (!anyBox.test(text)) return notes;
  let offset = node.position?.start.offset ?? 0;
  for (const line of text.split(/(?<=\n|\r(?!\n))/)) {
    const isFirst = offset === node.position?.start.offset;
    const isOwnBox = isFirst && almostBox.test(line) && node.type === 'paragraph' && isInItem(source, offset);
    const words = line.trim();
    if (cellBox.test(line))
      notes.push(boxNote(source, offset, { message: `a box in a table ${notTracked}`, words }));
    else if (strayBox.test(words) && !isOwnBox)
      notes.push(boxNote(source, offset, { message: `this box ${message}`, words }));
    offset += line.length;
  }
  return notes;
}

/** Then the item itself reports the box. */
function isInItem(source: Source, offset: number): boolean {
  const { column } = source.placeAt(offset);
  return /(?:[-+*]|\d{1,9}[.)])\s*$/.test(source.text.slice(offset - column + 1, offset));
}

/** Work that is left, unless it is ticked or says nothing. */
function boxNote(
  source: Source,
  offset: number,
  { message, words }: Readonly<{ message: string; words: string }>,
): PlanNote {
  const note = noteAt(source, offset, { rule: 'step-not-a-box', severity: 'warning', message });
  const openBox = oneLine(words).replace(/^[-+*][ \t]+/, '');
  return isTicked.test(openBox) || !/[\p{L}\p{N}]/u.test(openBox) ? note : { ...note, openBox };
}
