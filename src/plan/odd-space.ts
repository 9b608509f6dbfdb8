// Finds white space that is no blank to markdown or a shell, and so hides a heading, item, attribute or command.
import type { Heading, Nodes, Paragraph, Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { attributeWords, readKey } from './attributes.ts';
import { headingText, readHeading } from './headings.ts';
import type { PlanNote } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

/** Invisible too, but part of an emoji. */
const ofEmoji = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|[#*\d])(?:\uFE0F|\u200D|\u20E3)/gu;
const odd = /[^\S \t\n\r]|\p{Default_Ignorable_Code_Point}/gu;

export function asSeen(text: string): string {
  return text
    .replace(ofEmoji, '')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\S \t\n\r]/g, ' ');
}

/** As `U+00A0`. */
export function firstOdd(text: string): string | undefined {
  const found = text.replace(ofEmoji, '').match(odd)?.[0]?.codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function oddSpaceNotes(root: Root, source: Source): PlanNote[] {
  const notes: PlanNote[] = [];
  visit(root, ['heading', 'paragraph'], (node: Nodes) => {
    if (node.type === 'heading') notes.push(...ofHeading(node, source));
    if (node.type === 'paragraph') notes.push(...ofParagraph(node, source));
  });
  return notes;
}

function ofHeading(heading: Heading, source: Source): PlanNote[] {
  const text = headingText(heading, source.text);
  const [is, looks] = [text, asSeen(text)].map((each) => readHeading(each.trim(), heading.depth, true).kind);
  // A near miss has a note of its own.
  if (is === looks || is === 'near-miss') return [];
  return [note(text, heading.position?.start.offset ?? 0, source)];
}

function ofParagraph({ position }: Paragraph, source: Source): PlanNote[] {
  let offset = position?.start.offset ?? 0;
  return source.text
    .slice(offset, position?.end.offset)
    .split(/(?<=\n)/)
    .flatMap((line) => {
      const at = offset;
      offset += line.length;
      const seen = asSeen(line).trim();
      return firstOdd(line) !== undefined && isPart(seen) && !isPart(line.replace(/^[ \t]+|[ \t\r\n]+$/g, ''))
        ? [note(line, at, source)]
        : [];
    });
}

function isPart(line: string): boolean {
  if (/^#{1,6}[ \t]+\S/.test(line)) return true;
  const [, marker = '', rest = ''] = /^((?:[-+*]|\d{1,9}[.)])[ \t]+)?(.*)$/s.exec(line) ?? [];
  if (marker !== '' && rest.startsWith('`')) return true;
  const key = readKey(rest)?.spelled;
  return key !== undefined && attributeWords.has(key.toLowerCase());
}

function note(text: string, offset: number, source: Source): PlanNote {
  const message = `there is ${firstOdd(text)} in \`${asSeen(text).trim()}\`, which looks like a blank or like nothing, but hides it from every parser: type it anew`;
  return noteAt(source, offset, { rule: 'odd-space', severity: 'error', message });
}
