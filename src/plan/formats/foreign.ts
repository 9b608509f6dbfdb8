// Finds the tasks of a document without `### Task N:` headings, or near misses of them: numbered sections with boxes
// (OpenSpec's `## 1. Title`, spec-kit's `## Phase 1: Title`, a tracker's `### US-001: Title`), or a flat list of boxes.
import type { ListItem, Nodes, RootContent } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { oneLine } from '../attributes.ts';
import { isBoxItem, readSteps } from '../steps.ts';
import { endOf, endOfLine, type Section, type Source, startOf, writtenIn } from '../text-position.ts';

/** `index` counts the top-level blocks. */
type HeadingLine = Readonly<{ index: number; depth: number; text: string }>;

/** Of top-level blocks; `to` is exclusive. */
export type Span = Readonly<{ from: number; to: number }>;

export type Foreign = Readonly<{
  format: 'sections' | 'list';
  sections: readonly Section[];
  spans: readonly Span[];
}>;

/** `full`: indexes of the blocks with boxes. */
type Document = Readonly<{
  blocks: readonly RootContent[];
  headings: readonly HeadingLine[];
  source: Source;
  full: readonly number[];
}>;

export function findForeign(
  blocks: readonly RootContent[],
  headings: readonly HeadingLine[],
  { source, isCheck }: Readonly<{ source: Source; isCheck: (index: number) => boolean }>,
): Foreign | undefined {
  const isFull = (block: RootContent) => readSteps([block], source).length > 0;
  const full = blocks.flatMap((block, at) => (!isCheck(at) && isFull(block) ? [at] : []));
  if (full.length === 0) return undefined;
  const document = { blocks, headings, source, full };
  return sectionsIn(document) ?? listIn(document);
}

function isIn({ from, to }: Span, index: number): boolean {
  return from <= index && index < to;
}

/** Alone, or after a counting word; `N` is the last in spec-kit's template. */
const counted =
  /^(?:(?:Phase|Step|Stage|Part|Section|Milestone|Sprint|Iteration)\s+#?(?<word>\d+(?:\.\d+)*[a-z]?|N)(?![\p{L}\p{N}])\s*[.:)–—-]*|(?<bare>\d+(?:\.\d+)*(?:[a-z](?=[.:)]))?)(?:[.:)]|\s))\s*(?<title>.*)$/iu;

const ticket =
  /^(?:(?:User )?Story\s+)?\[?(?<id>[A-Z][A-Z\d]{0,9}-\d+[a-z]?)\]?\s*[.:)–—-]+\s+(?<title>.+)$/u;

type NumberedSection = Span & Readonly<{ id: string; title: string; isFull: boolean }>;

/** By tracker ids, unless numbered sections have a box that none of those has. */
function sectionsIn(document: Document): Foreign | undefined {
  const { blocks, source, full } = document;
  const isFull = (section: NumberedSection) => section.isFull;
  const [numbers, tickets] = [counted, ticket].map((form) => numberedIn(document, form)) as [
    readonly NumberedSection[],
    readonly NumberedSection[],
  ];
  const [ofNumbers, ofTickets] = [numbers.filter(isFull), tickets.filter(isFull)];
  const isHeld = (index: number) => ofTickets.some((section) => isIn(section, index));
  const boxes = full.filter((index) => ofNumbers.some((section) => isIn(section, index)));
  const [all, spans] =
    ofTickets.length > 0 && boxes.every(isHeld) ? [tickets, ofTickets] : [numbers, ofNumbers];
  if (spans.length === 0) return undefined;
  for (const section of all) if (!section.isFull) noteEmpty(blocks[section.from], source);
  return {
    format: 'sections',
    sections: spans.map((section) => sectionOf(section, blocks.slice(section.from, section.to), source)),
    spans,
  };
}

/** Of the shallowest depth that has boxes. */
function numberedIn({ blocks, headings, full }: Document, form: RegExp): readonly NumberedSection[] {
  const found = headings.flatMap(({ index, depth, text }, at) => {
    const words = form.exec(plain(text))?.groups;
    const id = words?.['id'] ?? words?.['word'] ?? words?.['bare'];
    if (id === undefined || depth < 2 || depth > 4) return [];
    const next = headings.slice(at + 1).find((other) => other.depth <= depth);
    const span = { from: index, to: next?.index ?? blocks.length };
    const isFull = full.some((box) => isIn(span, box));
    return [{ ...span, id, title: words?.['title']?.trim() || text, depth, isFull }];
  });
  const shallowest = Math.min(...found.flatMap(({ depth, isFull }) => (isFull ? [depth] : [])));
  return found.filter(({ depth }) => depth === shallowest);
}

function plain(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/^[^\p{L}\p{N}]+/u, '');
}

/** It looks like a task but is none. */
function noteEmpty(block: RootContent | undefined, source: Source): void {
  const message = `\`${writtenIn(block, source)}\` has no box, so nobody works on it: if there is work in it, write that as \`- [ ] text\` lines`;
  source.note(startOf(block), { rule: 'task-without-steps', severity: 'warning', message });
}

function sectionOf(
  { id, title }: Pick<NumberedSection, 'id' | 'title'>,
  [head, ...rest]: readonly RootContent[],
  source: Source,
): Section {
  const criteria = rest.flatMap((block) =>
    block.type === 'paragraph' ? (criterionOf(writtenIn(block, source)) ?? []) : [],
  );
  const start = startOf(head);
  const headEnd = endOfLine(source.text, start);
  return { id, title, start, headEnd, end: endOf(rest.at(-1) ?? head), blocks: rest, criteria };
}

/** When a section is done, as spec-kit words it. */
function criterionOf(paragraph: string): string | undefined {
  const text = /^\*\*(?:Independent Test|Checkpoint)\*\*\s*:\s*([\s\S]+)$/i.exec(paragraph)?.[1];
  return text?.replace(/\s+/g, ' ').trim();
}

/** The outermost boxes of the section `Tasks` if it has boxes, as in BMAD's stories; else all. */
function listIn({ blocks, headings, source, full }: Document): Foreign {
  const sections = headings.flatMap(({ index, depth, text }, at): Span[] => {
    if (!/^tasks(?: *\/ *subtasks)?:?$/i.test(plain(text))) return [];
    const to = headings.slice(at + 1).find((next) => next.depth <= depth)?.index ?? blocks.length;
    return [{ from: index, to }];
  });
  const own = sections.find((section) => full.some((index) => isIn(section, index)));
  const listed = full.filter((index) => !own || isIn(own, index));
  const items = listed.flatMap((index) => outermostBoxes(blocks[index], source));
  return {
    format: 'list',
    sections: listedTasks(items, source),
    spans: listed.map((index) => ({ from: index, to: index + 1 })),
  };
}

/** `T012`, `3.`, `2.1`, `Task 4a:`, `#45`, `ABC-7`. */
const ownId =
  /^(\*\*|__)?(?:Task\s+)?#?(?<id>T\d+|[A-Z]{1,6}-\d+|\d+(?:\.\d+)+|\d+[a-z]?(?=[.:)]))[.:)]*(?:\1)?[.:)]*\s+(?=\S)/;

/**
 * With their own ids, if all have one, else numbers. An item `2.1` after a `2.` is a part of that, as in Kiro's lists.
 */
function listedTasks(boxes: readonly ListItem[], source: Source): readonly Section[] {
  const tasks: { own: string | undefined; text: string; items: ListItem[] }[] = [];
  for (const item of boxes) {
    const text = readSteps([item], source)[0]?.text ?? '';
    const own = ownId.exec(text)?.groups?.['id'];
    const last = tasks.at(-1);
    if (last?.own !== undefined && own?.startsWith(`${last.own}.`)) last.items.push(item);
    else tasks.push({ own, text, items: [item] });
  }
  const ids = tasks.map(({ own }) => own);
  const areOwn = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  return tasks.map(({ own, text, items }, at) => ({
    id: (areOwn ? own : undefined) ?? String(at + 1),
    title: oneLine(areOwn ? withoutId(text) : text),
    start: startOf(items[0]),
    end: endOf(items.at(-1)),
    blocks: items,
  }));
}

function withoutId(text: string): string {
  const [before = '', mark = ''] = ownId.exec(text) ?? [];
  const rest = text.slice(before.length);
  // The title of `**Task 1: Title** (AC: 2)` is not half bold.
  return before.lastIndexOf(mark) > 0 ? rest : rest.replace(mark, '');
}

function outermostBoxes(list: Nodes | undefined, source: Source): ListItem[] {
  const boxes: ListItem[] = [];
  if (list)
    visit(list, (node) => {
      if (node.type !== 'list' && node.type !== 'listItem') return SKIP;
      if (node.type === 'list' || !isBoxItem(node, source)) return CONTINUE;
      boxes.push(node);
      return SKIP;
    });
  return boxes;
}

const acceptance =
  /^(?:acceptance(?: (?:criteria|tests?))?|definition of done|done (?:criteria|when)|(?:exit|success) criteria)(?![\p{L}\p{N}])/iu;

export function isAcceptance(heading: string): boolean {
  return acceptance.test(plain(heading));
}
