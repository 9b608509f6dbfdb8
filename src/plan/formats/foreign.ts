// Finds the tasks of a document without `### Task N:` headings, or near misses of them: numbered sections with boxes,
// or a flat list of boxes.

import type { ListItem, Nodes, RootContent } from 'mdast';
import { CONTINUE, SKIP, visit } from 'unist-util-visit';
import { oneLine } from '../attributes.ts';
import type { PlanNote } from '../plan.ts';
import { isBoxItem, readSteps } from '../steps.ts';
import { endOfLine, noteAt, type Section, type Source } from '../text-position.ts';
import { countedSections, type HeadingLine, indexes, type NumberedSection, plain } from './numbered.ts';

/** With notes on sections that look like a task but are not. */
export type Foreign = Readonly<{
  format: 'sections' | 'list';
  sections: readonly Section[];
  isInTask: (index: number) => boolean;
  notes: readonly PlanNote[];
}>;

export function findForeign(
  blocks: readonly RootContent[],
  headings: readonly HeadingLine[],
  { source, isCheck }: Readonly<{ source: Source; isCheck: (index: number) => boolean }>,
): Foreign | undefined {
  const full = new Set(blocks.flatMap((block, at) => (!isCheck(at) && holdsBox(block, source) ? [at] : [])));
  if (full.size === 0) return undefined;
  const { numbered, empty } = countedSections(headings, {
    blocks: blocks.length,
    hasBox: (index) => full.has(index),
  });
  if (numbered.length > 0) {
    const sections = numbered.map(({ id, title, from, to }) =>
      sectionOf({ id, title }, blocks.slice(from, to), source),
    );
    const isInTask = (index: number) => numbered.some(({ from, to }) => index >= from && index < to);
    return {
      format: 'sections',
      sections,
      isInTask,
      notes: empty.map((one) => emptyNote(one, blocks, source)),
    };
  }
  const { from, to } = tasksSection(headings, blocks.length, (index) => full.has(index));
  const isListed = (index: number) => full.has(index) && index >= from && index < to;
  const lists = blocks.filter((_, at) => isListed(at));
  const tasks = listedTasks(lists, {
    textOf: (item) => readSteps([item], source).steps[0]?.text ?? '',
    isBox: (item) => isBoxItem(item, source),
  });
  const sections = tasks.map(({ id, title, items }) => itemSection({ id, title }, items, source));
  return { format: 'list', sections, isInTask: isListed, notes: [] };
}

function emptyNote({ from }: NumberedSection, blocks: readonly RootContent[], source: Source): PlanNote {
  const block = blocks[from];
  const heading = block ? textOf(block, source) : '';
  const message = `\`${heading}\` has no box, so nobody works on it: if there is work in it, write that as \`- [ ] text\` lines`;
  const offset = block?.position?.start.offset ?? 0;
  return noteAt(source, offset, { rule: 'task-without-steps', severity: 'warning', message });
}

function holdsBox(block: RootContent, source: Source): boolean {
  return readSteps([block], source).steps.length > 0;
}

type SectionName = Readonly<{ id: string; title: string }>;

function sectionOf(named: SectionName, blocks: readonly RootContent[], source: Source): Section {
  const [head, ...rest] = blocks;
  const criteria = rest.flatMap((block) =>
    block.type === 'paragraph' ? (criterionOf(textOf(block, source)) ?? []) : [],
  );
  const end = (rest.at(-1) ?? head)?.position?.end.offset ?? 0;
  const start = head?.position?.start.offset ?? 0;
  return { ...named, start, headEnd: endOfLine(source.text, start), end, blocks: rest, criteria };
}

function itemSection({ id, title }: SectionName, items: ListedTask['items'], source: Source): Section {
  return {
    id,
    title: oneLine(title),
    start: items[0].position?.start.offset ?? 0,
    end: items.at(-1)?.position?.end.offset ?? source.text.length,
    blocks: items,
  };
}

function textOf(block: RootContent, source: Source): string {
  return source.text.slice(block.position?.start.offset, block.position?.end.offset);
}

/** Its item, and items of the same depth that are parts of it. */
type ListedTask = Readonly<{ id: string; title: string; items: readonly [ListItem, ...ListItem[]] }>;

/** `T012`, `3.`, `2.1`, `Task 4a:`, `#45`, `ABC-7`. */
const ownId =
  /^(\*\*|__)?(?:Task\s+)?#?(?<id>T\d+|[A-Z]{1,6}-\d+|\d+(?:\.\d+)+|\d+[a-z]?(?=[.:)]))[.:)]*(?:\1)?[.:)]*\s+(?=\S)/;

type ListedItem = { own: string | undefined; text: string; items: [ListItem, ...ListItem[]] };

/**
 * With their own ids, if all have one, else numbers. An item `2.1` after a `2.` is a part of that, as in Kiro's lists.
 */
function listedTasks(
  blocks: readonly RootContent[],
  { textOf, isBox }: Readonly<{ textOf: (item: ListItem) => string; isBox: (item: ListItem) => boolean }>,
): readonly ListedTask[] {
  const tasks: ListedItem[] = [];
  for (const item of blocks.flatMap((block) => outermostBoxes(block, isBox))) {
    const text = textOf(item);
    const own = ownId.exec(text)?.groups?.['id'];
    const group = tasks.at(-1);
    if (group?.own !== undefined && own?.startsWith(`${group.own}.`)) group.items.push(item);
    else tasks.push({ own, text, items: [item] });
  }
  const ids = tasks.map(({ own }) => own);
  const areOwn = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  return tasks.map(({ own, text, items }, at) => ({
    id: (areOwn ? own : undefined) ?? String(at + 1),
    title: areOwn ? withoutId(text) : text,
    items,
  }));
}

function withoutId(text: string): string {
  const [before = '', mark = ''] = ownId.exec(text) ?? [];
  const rest = text.slice(before.length);
  // The title of `**Task 1: Title** (AC: 2)` is not half bold.
  return before.lastIndexOf(mark) > 0 ? rest : rest.replace(mark, '');
}

/** The section `Tasks` if it has boxes, as in BMAD's stories; else all. */
function tasksSection(
  headings: readonly HeadingLine[],
  blocks: number,
  hasBox: (index: number) => boolean,
): Readonly<{ from: number; to: number }> {
  const sections = headings.flatMap(({ index, depth, text }, at) => {
    if (!/^tasks(?: *\/ *subtasks)?:?$/i.test(plain(text))) return [];
    const to = headings.slice(at + 1).find((next) => next.depth <= depth)?.index ?? blocks;
    return [{ from: index, to }];
  });
  return sections.find((section) => indexes(section).some(hasBox)) ?? { from: 0, to: blocks };
}

function outermostBoxes(list: Nodes, isBox: (item: ListItem) => boolean): ListItem[] {
  const boxes: ListItem[] = [];
  visit(list, (node) => {
    if (node.type !== 'list' && node.type !== 'listItem') return SKIP;
    if (node.type === 'list' || !isBox(node)) return CONTINUE;
    boxes.push(node);
    return SKIP;
  });
  return boxes;
}

/** When a section is done, as spec-kit words it. */
function criterionOf(paragraph: string): string | undefined {
  const text = /^\*\*(?:Independent Test|Checkpoint)\*\*\s*:\s*([\s\S]+)$/i.exec(paragraph)?.[1];
  return text?.replace(/\s+/g, ' ').trim();
}

const acceptance =
  /^(?:acceptance(?: (?:criteria|tests?))?|definition of done|done (?:criteria|when)|(?:exit|success) criteria)(?![\p{L}\p{N}])/iu;

export function isAcceptance(heading: string): boolean {
  return acceptance.test(heading.replace(/[*_`]/g, '').replace(/^[^\p{L}\p{N}]+/u, ''));
}
