// Reports boxes outside all tasks, which nobody works on.

import type { RootContent } from 'mdast';
import type { LooseBlock, Outline } from './outline.ts';
import type { Plan, PlanNote, Step } from './plan.ts';
import type { Source } from './text-position.ts';

export type Loose = Readonly<{ steps: readonly Step[]; under: LooseBlock['under'] }>;

/** One note per heading; none if that is a near miss of a task's. */
export function noteLoose(
  loose: readonly Loose[],
  { format, notes }: Pick<Outline, 'format' | 'notes'>,
): PlanNote[] {
  const slips = notes.filter(({ rule }) => rule === 'near-miss-heading').map(({ place }) => place.offset);
  return [...Map.groupBy(loose, ({ under }) => under)].flatMap(([under, blocks]) => {
    const from = under?.heading.position?.start.offset ?? 0;
    const isExplained = ({ box }: Step) => slips.some((slip) => from <= slip && slip < box.offset);
    const open = blocks.flatMap(({ steps }) => steps).filter((step) => !step.ticked && !isExplained(step));
    return open[0] ? [looseNote(open[0], open.length, { under, format })] : [];
  });
}

function looseNote(
  { box }: Step,
  count: number,
  { under, format }: Readonly<{ under: LooseBlock['under']; format: Plan['format'] }>,
): PlanNote {
  const numbered = /^[\p{L}]+\s*#?(\d[\w.]*)\s*[:.)–—-]?\s*(.*)$/u.exec(under?.text ?? '');
  const what = count === 1 ? 'this box' : `these ${count} boxes`;
  const where = under ? ` under "${under.text}"` : '';
  const [are, on] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  const form = numbered ? `### Task ${numbered[1]}: ${numbered[2] || 'title'}` : '### Task 1: title';
  const remedies = {
    tasks: `a task begins with a heading \`${form}\``,
    sections: 'tasks here are sections with a number, as `## 5. Title`',
    list: 'tasks here are the boxes of the section `Tasks`',
  };
  const remedy = under?.read.kind === 'checks' ? 'write checks without boxes' : remedies[format];
  const message = `${what}${where} ${are} not part of any task, so nobody works on ${on}: ${remedy}`;
  return { rule: 'step-outside-task', severity: 'warning', message, place: box };
}

const leaves =
  /^[\d.\s*_]*manual(?:ly)? (?:checks?|qa|review|steps?|test(?:s|ing)?|validation|verification)\b/i;

/** Below a heading with such words, or in a list right below a label of them. */
export function manualBlocks(blocks: readonly RootContent[], source: Source): ReadonlySet<RootContent> {
  const found = new Set<RootContent>();
  let depth = 7;
  blocks.forEach((block, at) => {
    if (block.type === 'heading' && block.depth <= depth)
      depth = leaves.test(wordsOf(block, source).replace(/^#+/, '')) ? block.depth : 7;
    else if (depth < 7 || (block.type === 'list' && isLabel(blocks[at - 1], source))) found.add(block);
  });
  return found;
}

function isLabel(block: RootContent | undefined, source: Source): boolean {
  if (block?.type !== 'paragraph') return false;
  const words = wordsOf(block, source);
  return leaves.test(words) && /[:*_]$/.test(words);
}

function wordsOf(block: RootContent, source: Source): string {
  return source.text.slice(block.position?.start.offset, block.position?.end.offset).trim();
}
