// Finds the tasks of a document without `### Task N:` headings, or near misses of them: numbered sections with boxes
// (OpenSpec's `## 1. Title`, spec-kit's `## Phase 1: Title`, a tracker's `### US-001: Title`), or a flat list of boxes.
import type { ListItem, Nodes, RootContent } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { oneLine } from '../attributes.ts';
import { type Head, sectionBelow } from '../headings.ts';
import type { Plan } from '../plan.ts';
import { readSteps, stepOf } from '../steps.ts';
import { endOf, isIn, type Section, type Source, type Span, startOf, writtenIn } from '../text-position.ts';

/** `spans`: the blocks that are tasks'. */
export type TaskSections = Pick<Plan, 'format'> &
  Readonly<{ sections: readonly Section[]; spans: readonly Span[] }>;

/** `checks`: where boxes make no task; `full`: indexes of the blocks with boxes. */
type Document = Readonly<{
  blocks: readonly RootContent[];
  heads: readonly Head[];
  checks: readonly Span[];
  source: Source;
  full: readonly number[];
}>;

export function findForeign(parts: Omit<Document, 'full'>): TaskSections | undefined {
  const { blocks, checks, source } = parts;
  const isFull = (block: RootContent) => readSteps([block], source).length > 0;
  const full = blocks.flatMap((block, at) => (!isIn(checks, at) && isFull(block) ? [at] : []));
  if (full.length === 0) return undefined;
  const document = { ...parts, full };
  return sectionsIn(document) ?? listIn(document);
}

/** From a heading to the next of its depth or above. */
function spanFrom({ heads, blocks }: Document, { index, depth }: Head): Span {
  const next = heads.find((other) => other.index > index && other.depth <= depth);
  return { from: index, to: next?.index ?? blocks.length };
}

/** Alone, or after a counting word; `N` is the last in spec-kit's template. */
const counted =
  /^(?:(?:Phase|Step|Stage|Part|Section|Milestone|Sprint|Iteration)\s+#?(?<word>\d+(?:\.\d+)*[a-z]?|N)(?![\p{L}\p{N}])\s*[.:)–—-]*|(?<bare>\d+(?:\.\d+)*(?:[a-z](?=[.:)]))?)(?:[.:)]|\s))\s*(?<title>.*)$/iu;

const ticket =
  /^(?:(?:User )?Story\s+)?\[?(?<id>[A-Z][A-Z\d]{0,9}-\d+[a-z]?)\]?\s*[.:)–—-]+\s+(?<title>.+)$/u;

type NumberedSection = Span & Readonly<{ id: string; title: string; isFull: boolean }>;

/** By tracker ids, unless numbered sections have a box that none of those has. */
function sectionsIn(document: Document): TaskSections | undefined {
  const { blocks, source, full } = document;
  const isFull = (section: NumberedSection) => section.isFull;
  const [numbers, tickets] = [numberedIn(document, counted), numberedIn(document, ticket)];
  const [ofNumbers, ofTickets] = [numbers.filter(isFull), tickets.filter(isFull)];
  const boxes = full.filter((index) => isIn(ofNumbers, index));
  const areTickets = ofTickets.length > 0 && boxes.every((index) => isIn(ofTickets, index));
  const [all, spans] = areTickets ? [tickets, ofTickets] : [numbers, ofNumbers];
  if (spans.length === 0) return undefined;
  for (const section of all) if (!section.isFull) noteEmpty(blocks[section.from], source);
  return {
    format: 'sections',
    sections: spans.map((section) => sectionOf(section, blocks.slice(section.from, section.to), source)),
    spans,
  };
}

/** Of the shallowest depth that has boxes. */
function numberedIn(document: Document, form: RegExp): readonly NumberedSection[] {
  const found = document.heads.flatMap((head) => {
    const { text, depth } = head;
    const words = form.exec(plain(text))?.groups;
    const id = words?.['id'] ?? words?.['word'] ?? words?.['bare'];
    if (id === undefined || depth < 2 || depth > 4) return [];
    const span = spanFrom(document, head);
    const isFull = document.full.some((box) => isIn([span], box));
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
  blocks: readonly RootContent[],
  source: Source,
): Section {
  const section = sectionBelow(blocks, source);
  const criteria = section.blocks.flatMap((block) =>
    block.type === 'paragraph' ? (criterionOf(writtenIn(block, source)) ?? []) : [],
  );
  return { id, title, ...section, criteria };
}

/** When a section is done, as spec-kit words it. */
function criterionOf(paragraph: string): string | undefined {
  const text = /^\*\*(?:Independent Test|Checkpoint)\*\*\s*:\s*([\s\S]+)$/i.exec(paragraph)?.[1];
  return text?.replace(/\s+/g, ' ').trim();
}

/** The outermost boxes of the section `Tasks` if it has boxes, as in BMAD's stories; else all. */
function listIn(document: Document): TaskSections {
  const { blocks, heads, source, full } = document;
  const named = heads.filter(({ text }) => /^tasks(?: *\/ *subtasks)?:?$/i.test(plain(text)));
  const sections = named.map((head) => spanFrom(document, head));
  const own = sections.find((section) => full.some((index) => isIn([section], index)));
  const listed = full.filter((index) => !own || isIn([own], index));
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
    const text = stepOf(item, source)?.text ?? '';
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
      if (node.type === 'list' || !stepOf(node, source)) return CONTINUE;
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
