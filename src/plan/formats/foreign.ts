// Finds the tasks of a document without `### Task N:` headings: numbered sections with boxes, or a flat list of boxes. Never
// used for a document whose headings just missed that shape.
import type { RootContent } from 'mdast';
import { oneLine } from '../attributes.ts';
import type { Section } from '../section.ts';
import { isBoxItem, readSteps } from '../steps.ts';
import type { Source } from '../text-position.ts';
import { type ListedTask, listedTasks } from './list.ts';
import { criterionOf, type HeadingLine, numberedSections } from './sections.ts';

/** The tasks, and the top-level blocks they take up. */
export type Foreign = Readonly<{
  format: 'sections' | 'list';
  sections: readonly Section[];
  isInTask: (index: number) => boolean;
}>;

/** The tasks of such a document; undefined when it has no box outside its checks. */
export function findForeign(
  blocks: readonly RootContent[],
  headings: readonly HeadingLine[],
  { source, isCheck }: Readonly<{ source: Source; isCheck: (index: number) => boolean }>,
): Foreign | undefined {
  const full = new Set(blocks.flatMap((block, at) => (!isCheck(at) && holdsBox(block, source) ? [at] : [])));
  if (full.size === 0) return undefined;
  const numbered = numberedSections(headings, { blocks: blocks.length, hasBox: (index) => full.has(index) });
  if (numbered.length > 0) {
    const sections = numbered.map(({ id, title, from, to }) =>
      sectionOf({ id, title }, blocks.slice(from, to), source),
    );
    const isInTask = (index: number) => numbered.some(({ from, to }) => index >= from && index < to);
    return { format: 'sections', sections, isInTask };
  }
  const lists = blocks.filter((_, at) => full.has(at));
  const tasks = listedTasks(lists, {
    textOf: (item) => readSteps([item], source).steps[0]?.text ?? '',
    isBox: (item) => isBoxItem(item, source),
  });
  const sections = tasks.map(({ id, title, items }) => itemSection({ id, title }, items, source));
  return { format: 'list', sections, isInTask: (index) => full.has(index) };
}

function holdsBox(block: RootContent, source: Source): boolean {
  return readSteps([block], source).steps.length > 0;
}

type Named = Readonly<{ id: string; title: string }>;

/** The heading and all below it; what its paragraphs say about being done are criteria. */
function sectionOf(named: Named, blocks: readonly RootContent[], source: Source): Section {
  const [head, ...rest] = blocks;
  const criteria = rest.flatMap((block) =>
    block.type === 'paragraph' ? (criterionOf(textOf(block, source)) ?? []) : [],
  );
  const end = (rest.at(-1) ?? head)?.position?.end.offset ?? 0;
  return { ...named, start: head?.position?.start.offset ?? 0, end, blocks: rest, criteria };
}

function itemSection({ id, title }: Named, items: ListedTask['items'], source: Source): Section {
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
