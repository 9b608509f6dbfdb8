// Sorts the blocks of a plan.
import type { Heading, Root, RootContent } from 'mdast';
import { findForeign, type Span } from './formats/foreign.ts';
import { type HeadingKind, headingText, isAtx, noteHidden, noteNearMiss, readHeading } from './headings.ts';
import type { Plan, Step } from './plan.ts';
import { endOf, endOfLine, type Section, type Source, startOf, writtenIn } from './text-position.ts';

export type LooseBlock = Readonly<{ block: RootContent; under: Head | undefined }>;

export type Outline = Readonly<{
  format: Plan['format'];
  title: string;
  overview: string;
  tasks: readonly Section[];
  checks: readonly RootContent[];
  /** Includes those of the checks sections. */
  loose: readonly LooseBlock[];
}>;

type Head = Readonly<{ index: number; heading: Heading; text: string; read: HeadingKind }>;

export function outlineOf(root: Root, source: Source, fallbackTitle: string): Outline {
  const blocks = root.children;
  const heads = blocks.flatMap((block, index) =>
    block.type === 'heading' ? [headOf(block, index, source)] : [],
  );
  const { format, sections, spans } = tasksOf(heads, blocks, source);
  const isInTask = membership(spans);
  const outside = heads.filter((head) => !isInTask(head.index));
  const isCheck = membership(spansOf(outside, 'checks', blocks.length, spans));
  const title = outside.find((head) => head.heading.depth === 1);
  noteHeads(heads, title, isInTask, source);
  const first = blocks.findIndex((_, index) => isInTask(index));
  const [overview] = spansOf(outside, 'overview', blocks.length, spans);
  const said = overview
    ? blocks.slice(overview.from + 1, overview.to)
    : blocks
        .slice(0, first === -1 ? blocks.length : first)
        .filter((_, index) => index !== title?.index && !isCheck(index));
  return {
    format,
    title: title?.text.replace(/^(?:plan|tasks):\s*/i, '') || fallbackTitle,
    overview: said
      .map((block) => writtenIn(block, source))
      .join('\n\n')
      .trim(),
    tasks: sections,
    checks: blocks.filter((block, index) => isCheck(index) && block.type !== 'heading'),
    loose: looseBlocks(blocks, isInTask, outside),
  };
}

type Tasks = Pick<Outline, 'format'> & Readonly<{ sections: readonly Section[]; spans: readonly Span[] }>;

/** A foreign format only if there are neither task headings nor near misses. */
function tasksOf(heads: readonly Head[], blocks: readonly RootContent[], source: Source): Tasks {
  const spans = spansOf(heads, 'task', blocks.length);
  const sections = spans.map((span) => sectionOf(blocks.slice(span.from, span.to), source));
  const own: Tasks = { format: 'tasks', sections, spans };
  const isMeant = heads.some(({ read }) => read.kind === 'near-miss');
  const isHidden = blocks.map((block) => noteHidden(block, source)).includes(true);
  if (isMeant || isHidden || spans.length > 0) return own;
  const isCheck = membership(spansOf(heads, 'checks', blocks.length));
  const lines = heads.map(({ index, heading, text }) => ({ index, depth: heading.depth, text }));
  return findForeign(blocks, lines, { source, isCheck }) ?? own;
}

function headOf(heading: Heading, index: number, source: Source): Head {
  const text = headingText(heading, source.text);
  return { index, heading, text, read: readHeading(text, heading.depth, isAtx(heading, source.text)) };
}

/**
 * A task continues across other headings of its depth, as in ralphex: it ends at the next task, above its depth, at `#`
 * and `##`, and at the plan's checks or overview.
 */
function endsTask({ heading, read }: Head, depth: number): boolean {
  if (heading.depth < Math.max(depth, 3)) return true;
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
    const { depth } = heading;
    const ends = (head: Head) => (kind === 'task' ? endsTask(head, depth) : head.heading.depth <= depth);
    const next = heads.slice(at + 1).find((head) => head.read.kind === 'task' || ends(head));
    const wall = walls.find((span) => span.from > index)?.from ?? length;
    return [{ from: index, to: Math.min(next?.index ?? length, wall) }];
  });
}

function membership(spans: readonly Span[]): (index: number) => boolean {
  return (index) => spans.some(({ from, to }) => from <= index && index < to);
}

function sectionOf(blocks: readonly RootContent[], source: Source): Section {
  const [head, ...rest] = blocks;
  const read = head?.type === 'heading' ? headOf(head, 0, source).read : undefined;
  if (read?.kind !== 'task') throw new Error('a task section begins with a task heading');
  const start = startOf(head);
  const headEnd = endOfLine(source.text, start);
  const end = endOf(rest.at(-1) ?? head);
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

function noteHeads(
  heads: readonly Head[],
  title: Head | undefined,
  isInTask: (index: number) => boolean,
  source: Source,
): void {
  const hasTasks = heads.some((head) => head.read.kind === 'task');
  for (const head of heads) {
    // `# Task 12: Fix login` is a title if tasks are below it.
    if (head === title && hasTasks) continue;
    if (head.read.kind === 'near-miss') noteNearMiss(head.heading, head.read.message, source);
    if (head.read.kind !== 'checks' || !isInTask(head.index)) continue;
    const message = `\`${head.text}\` inside a task has no effect: write "- check: \`command\`" lines in the task, or move the section out of it`;
    source.note(startOf(head.heading), { rule: 'stray-checks', severity: 'warning', message });
  }
}

/** One note per heading above boxes outside all tasks; none if that is a near miss of a task's. */
export function noteLoose(
  loose: readonly Readonly<{ steps: readonly Step[]; under: LooseBlock['under'] }>[],
  format: Plan['format'],
  source: Source,
): void {
  const slips = source
    .notes()
    .filter(({ rule }) => rule === 'near-miss-heading')
    .map(({ place }) => place.offset);
  for (const [under, blocks] of Map.groupBy(loose, (one) => one.under)) {
    const from = startOf(under?.heading);
    const isExplained = ({ box }: Step) => slips.some((slip) => from <= slip && slip < box.offset);
    const open = blocks.flatMap(({ steps }) => steps).filter((step) => !step.ticked && !isExplained(step));
    const [first] = open;
    if (!first) continue;
    const [what, are, them] =
      open.length === 1 ? ['this box', 'is', 'it'] : [`these ${open.length} boxes`, 'are', 'them'];
    const where = under ? ` under "${under.text}"` : '';
    const remedy = under?.read.kind === 'checks' ? 'write checks without boxes' : formOf(format, under?.text);
    const message = `${what}${where} ${are} not part of any task, so nobody works on ${them}: ${remedy}`;
    source.note(first.box.offset, { rule: 'step-outside-task', severity: 'warning', message });
  }
}

function formOf(format: Plan['format'], heading = ''): string {
  if (format !== 'tasks') return 'move it into a task';
  const [, number = '1', title] = /^[\p{L}]+\s*#?(\d[\w.]*)\s*[:.)–—-]?\s*(.*)$/u.exec(heading) ?? [];
  return `a task begins with a heading \`### Task ${number}: ${title || 'title'}\``;
}
