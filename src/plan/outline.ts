// Sorts the blocks of a plan.
import type { Heading, Root, RootContent } from 'mdast';
import { findForeign } from './formats/foreign.ts';
import { type HeadingKind, headingText, isAtx, readHeading } from './headings.ts';
import { hiddenHeadings, nearMissNote } from './near-miss.ts';
import type { Plan, PlanNote } from './plan.ts';
import { endOfLine, noteAt, type Section, type Source } from './text-position.ts';

export type LooseBlock = Readonly<{ block: RootContent; under: Head | undefined }>;

export type Outline = Readonly<{
  format: Plan['format'];
  title: string;
  overview: string;
  tasks: readonly Section[];
  checks: readonly RootContent[];
  /** Includes those of the checks sections. */
  loose: readonly LooseBlock[];
  notes: readonly PlanNote[];
}>;

type Head = Readonly<{ index: number; heading: Heading; text: string; read: HeadingKind }>;
type Span = Readonly<{ from: number; to: number }>;

export function outlineOf(root: Root, source: Source, fallbackTitle: string): Outline {
  const blocks = root.children;
  const heads = blocks.flatMap((block, index) =>
    block.type === 'heading' ? [headOf(block, index, source)] : [],
  );
  const { format, sections, isInTask, spans, notes } = tasksOf(heads, blocks, source);
  const outside = heads.filter((head) => !isInTask(head.index));
  const isCheck = membership(spansOf(outside, 'checks', blocks.length, spans));
  const title = outside.find((head) => head.heading.depth === 1);
  const isOther = (index: number) => index !== title?.index && !isCheck(index);
  const first = blocks.findIndex((_, index) => isInTask(index));
  const before = { from: 0, to: first === -1 ? blocks.length : first };
  const [overview] = spansOf(outside, 'overview', blocks.length, spans);
  return {
    format,
    title: titleIn(title) ?? fallbackTitle,
    overview: overview
      ? textOf(blocks.slice(overview.from + 1, overview.to), source)
      : textOf(
          blocks.slice(before.from, before.to).filter((_, index) => isOther(index)),
          source,
        ),
    tasks: sections,
    checks: blocks.filter((block, index) => isCheck(index) && block.type !== 'heading'),
    loose: looseBlocks(blocks, isInTask, outside),
    notes: [
      ...notes,
      ...headNotes(heads, title, isInTask, source),
      ...blocks.flatMap((block) => hiddenHeadings(block, source)),
    ],
  };
}

type Tasks = Pick<Outline, 'format' | 'notes'> &
  Readonly<{ sections: readonly Section[]; isInTask: (index: number) => boolean; spans: readonly Span[] }>;

/** A foreign format only if there are neither task headings nor near misses. */
function tasksOf(heads: readonly Head[], blocks: readonly RootContent[], source: Source): Tasks {
  const spans = spansOf(heads, 'task', blocks.length);
  const sections = spans.map((span) => sectionOf(blocks.slice(span.from, span.to), source));
  const own: Tasks = { format: 'tasks', sections, isInTask: membership(spans), spans, notes: [] };
  const isMeant = heads.some(({ read }) => read.kind === 'near-miss');
  if (isMeant || spans.length > 0 || blocks.some((block) => hiddenHeadings(block, source).length > 0))
    return own;
  const isCheck = membership(spansOf(heads, 'checks', blocks.length));
  const lines = heads.map(({ index, heading, text }) => ({ index, depth: heading.depth, text }));
  const foreign = findForeign(blocks, lines, { source, isCheck });
  if (!foreign) return own;
  const walls = blocks.flatMap((_, index) =>
    foreign.isInTask(index) ? [{ from: index, to: index + 1 }] : [],
  );
  return { ...foreign, spans: walls };
}

function titleIn(head: Head | undefined): string | undefined {
  return head?.text.replace(/^(?:plan|tasks):\s*/i, '') || undefined;
}

function headOf(heading: Heading, index: number, source: Source): Head {
  const text = headingText(heading, source.text);
  return { index, heading, text, read: readHeading(text, heading.depth, isAtx(heading, source.text)) };
}

function endsSection({ heading, read }: Head, depth: number): boolean {
  return read.kind === 'task' || heading.depth <= depth;
}

/**
 * A task continues across other headings of its depth, as in ralphex: it ends at the next task, above its depth, at `#`
 * and `##`, and at the plan's checks or overview.
 */
function endsTask({ heading, read }: Head, depth: number): boolean {
  if (read.kind === 'task' || heading.depth < Math.max(depth, 3)) return true;
  return heading.depth === depth && read.kind !== 'other' && read.kind !== 'near-miss';
}

function spansOf(
  heads: readonly Head[],
  kind: HeadingKind['kind'],
  length: number,
  walls: readonly Span[] = [],
): Span[] {
  return heads.flatMap(({ index, heading, read }, at) => {
    if (read.kind !== kind) return [];
    const next = heads
      .slice(at + 1)
      .find((head) => (kind === 'task' ? endsTask(head, heading.depth) : endsSection(head, heading.depth)));
    const wall = walls.find((span) => span.from > index)?.from ?? length;
    return [{ from: index, to: Math.min(next?.index ?? length, wall) }];
  });
}

function membership(spans: readonly Span[]): (index: number) => boolean {
  const members = new Set(
    spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
  return (index) => members.has(index);
}

function sectionOf(blocks: readonly RootContent[], source: Source): Section {
  const [head, ...rest] = blocks;
  const read = head?.type === 'heading' ? headOf(head, 0, source).read : undefined;
  if (read?.kind !== 'task') throw new Error('a task section begins with a task heading');
  const end = (rest.at(-1) ?? head)?.position?.end.offset ?? 0;
  const start = head?.position?.start.offset ?? 0;
  const headEnd = endOfLine(source.text, start);
  const section = { id: read.id, title: read.title, start, headEnd, end, blocks: rest };
  const title = /^\[[ \txX]\][ \t]+(.+)/.exec(read.title)?.[1];
  const box = source.text.slice(start, headEnd).search(/\[[ \txX]\][ \t]/);
  return title === undefined || box < 0 ? section : { ...section, title, boxInHeading: start + box + 1 };
}

function looseBlocks(
  blocks: readonly RootContent[],
  isInTask: (index: number) => boolean,
  outside: readonly Head[],
): LooseBlock[] {
  let under: Head | undefined;
  const byIndex = new Map(outside.map((head) => [head.index, head]));
  return blocks.flatMap((block, index) => {
    if (isInTask(index)) return [];
    under = byIndex.get(index) ?? under;
    return [{ block, under }];
  });
}

function headNotes(
  heads: readonly Head[],
  title: Head | undefined,
  isInTask: (index: number) => boolean,
  source: Source,
): PlanNote[] {
  const hasTasks = heads.some((head) => head.read.kind === 'task');
  return heads.flatMap((head) => {
    // `# Task 12: Fix login` is a title if tasks are below it.
    if (head === title && hasTasks) return [];
    if (head.read.kind === 'near-miss') return [nearMissNote(head.heading, head.read.message, source)];
    if (head.read.kind !== 'checks' || !isInTask(head.index)) return [];
    const message = `\`${head.text}\` inside a task has no effect: write "- check: \`command\`" lines in the task, or move the section out of it`;
    const offset = head.heading.position?.start.offset ?? 0;
    return [noteAt(source, offset, { rule: 'stray-checks', severity: 'warning', message })];
  });
}

function textOf(blocks: readonly RootContent[], source: Source): string {
  const parts = blocks.map((block) =>
    source.text.slice(block.position?.start.offset, block.position?.end.offset),
  );
  return parts.join('\n\n').trim();
}
