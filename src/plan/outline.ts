// Sorts the blocks of a plan.
import type { Root, RootContent } from 'mdast';
import { findForeign, type TaskSections } from './formats/foreign.ts';
import { type Head, type HeadingKind, headsOf, noteHidden, noteNearMiss, sectionBelow } from './headings.ts';
import type { Plan, Step } from './plan.ts';
import { readSteps } from './steps.ts';
import { isIn, type Section, type Source, type Span, startOf, writtenIn } from './text-position.ts';

export type Outline = Pick<Plan, 'format' | 'title' | 'overview'> &
  Readonly<{
    tasks: readonly Section[];
    /** In its sections of checks. */
    checks: readonly RootContent[];
    looseSteps: readonly Step[];
  }>;

export function outlineOf(root: Root, source: Source, fallbackTitle: string): Outline {
  const blocks = root.children;
  const heads = headsOf(blocks, source);
  const { format, sections, spans } = tasksOf(heads, blocks, source);
  const outside = heads.filter(({ index }) => !isIn(spans, index));
  const checks = spansOf(outside, 'checks', blocks.length, spans);
  const title = outside.find(({ depth }) => depth === 1);
  noteHeads(heads, title, spans, source);
  const [overview] = spansOf(outside, 'overview', blocks.length, spans);
  const said = overview
    ? blocks.slice(overview.from + 1, overview.to)
    : blocks.slice(0, spans[0]?.from).filter((_, index) => index !== title?.index && !isIn(checks, index));
  const loose = findLoose(blocks, { outside, spans, source });
  noteLoose(loose, format, source);
  return {
    format,
    title: title?.text.replace(/^(?:plan|tasks):\s*/i, '') || fallbackTitle,
    overview: said
      .map((block) => writtenIn(block, source))
      .join('\n\n')
      .trim(),
    tasks: sections,
    checks: blocks.filter((block, index) => isIn(checks, index) && block.type !== 'heading'),
    looseSteps: loose.map(({ step }) => step),
  };
}

/** A foreign format only if there are neither task headings nor near misses. */
function tasksOf(heads: readonly Head[], blocks: readonly RootContent[], source: Source): TaskSections {
  const spans = spansOf(heads, 'task', blocks.length);
  const isMeant = heads.some(({ read }) => read.kind === 'near-miss');
  const isHidden = blocks.map((block) => noteHidden(block, source)).includes(true);
  const checks = spansOf(heads, 'checks', blocks.length);
  const isForeign = spans.length === 0 && !isMeant && !isHidden;
  const foreign = isForeign ? findForeign({ blocks, heads, checks, source }) : undefined;
  if (foreign) return foreign;
  const sections = spans.flatMap(({ from, to, read }) =>
    read.kind === 'task' ? sectionOf(read, blocks.slice(from, to), source) : [],
  );
  return { format: 'tasks', sections, spans };
}

/**
 * A task continues across other headings of its depth, as in ralphex: it ends at the next task, above its depth, at `#`
 * and `##`, and at the plan's checks or overview.
 */
function endsTask({ depth, read }: Head, ofTask: number): boolean {
  if (depth < Math.max(ofTask, 3)) return true;
  return depth === ofTask && read.kind !== 'other' && read.kind !== 'near-miss';
}

function spansOf(
  heads: readonly Head[],
  kind: HeadingKind['kind'],
  length: number,
  walls: readonly Span[] = [],
): readonly (Span & Pick<Head, 'read'>)[] {
  return heads.flatMap(({ index, depth, read }, at) => {
    if (read.kind !== kind) return [];
    const ends = (head: Head) => (kind === 'task' ? endsTask(head, depth) : head.depth <= depth);
    const next = heads.slice(at + 1).find((head) => head.read.kind === 'task' || ends(head));
    const wall = walls.find((span) => span.from > index)?.from ?? length;
    return [{ from: index, to: Math.min(next?.index ?? length, wall), read }];
  });
}

function sectionOf(
  { id, title: words }: Extract<HeadingKind, { kind: 'task' }>,
  blocks: readonly RootContent[],
  source: Source,
): Section {
  const section = { id, title: words, ...sectionBelow(blocks, source) };
  const title = /^\[[ \txX]\][ \t]+(.+)/.exec(words)?.[1];
  const box = source.text.slice(section.start, section.headEnd).search(/\[[ \txX]\][ \t]/);
  return title === undefined || box < 0
    ? section
    : { ...section, title, boxInHeading: section.start + box + 1 };
}

type LooseStep = Readonly<{ step: Step; under: Head | undefined }>;

function findLoose(
  blocks: readonly RootContent[],
  { outside, spans, source }: Readonly<{ outside: readonly Head[]; spans: readonly Span[]; source: Source }>,
): readonly LooseStep[] {
  let under: Head | undefined;
  const byIndex = new Map(outside.map((head) => [head.index, head]));
  return blocks.flatMap((block, index) => {
    if (isIn(spans, index)) return [];
    under = byIndex.get(index) ?? under;
    return readSteps([block], source).map((step) => ({ step, under }));
  });
}

function noteHeads(
  heads: readonly Head[],
  title: Head | undefined,
  tasks: readonly Span[],
  source: Source,
): void {
  const hasTasks = heads.some(({ read }) => read.kind === 'task');
  for (const head of heads) {
    const { heading, text, read } = head;
    // `# Task 12: Fix login` is a title if tasks are below it.
    if (head === title && hasTasks) continue;
    if (read.kind === 'near-miss') noteNearMiss(heading, read.message, source);
    if (read.kind !== 'checks' || !isIn(tasks, head.index)) continue;
    const message = `\`${text}\` inside a task has no effect: write "- check: \`command\`" lines in the task, or move the section out of it`;
    source.note(startOf(heading), { rule: 'stray-checks', severity: 'warning', message });
  }
}

/** One note per heading above boxes outside all tasks; none if that is a near miss of a task's. */
function noteLoose(loose: readonly LooseStep[], format: Plan['format'], source: Source): void {
  const slips = source
    .notes()
    .filter(({ rule }) => rule === 'near-miss-heading')
    .map(({ place }) => place.offset);
  for (const [under, steps] of Map.groupBy(loose, (one) => one.under)) {
    const from = startOf(under?.heading);
    const isExplained = ({ box }: Step) => slips.some((slip) => from <= slip && slip < box.offset);
    const open = steps.map(({ step }) => step).filter((step) => !step.ticked && !isExplained(step));
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
