// The text of a plan outside its tasks, and its sections there.
import type { RootContent } from 'mdast';
import { toString as wordsIn } from 'mdast-util-to-string';
import { endOfFrontMatter } from './front-matter.ts';
import { readMarkdown } from './markdown.ts';
import type { Plan, Task } from './plan.ts';

/** Without a heading: what precedes the first. */
export type PlanSection = Readonly<{ heading: string | undefined; text: string }>;

/** `tasks` are in the plan's order. */
export function textOutside(text: string, tasks: readonly Task[]): string {
  let rest = '';
  let from = 0;
  for (const { place, source } of tasks) {
    rest += text.slice(from, place.offset);
    from = place.offset + source.length;
  }
  return rest + text.slice(from);
}

/** Without the title and comments. */
export function sectionsOutside(plan: Plan): readonly PlanSection[] {
  const outside = textOutside(plan.text, plan.tasks);
  const sections: { heading: string | undefined; blocks: string[] }[] = [{ heading: undefined, blocks: [] }];
  for (const block of readMarkdown(outside, endOfFrontMatter(outside)).children) {
    if (block.type === 'heading' && block.depth > 1) sections.push({ heading: wordsIn(block), blocks: [] });
    else if (block.type !== 'heading' && !isComment(block))
      sections.at(-1)?.blocks.push(outside.slice(block.position?.start.offset, block.position?.end.offset));
  }
  return sections.map(({ heading, blocks }) => ({ heading, text: blocks.join('\n\n') }));
}

function isComment(block: RootContent): boolean {
  return block.type === 'html' && /^\s*<!--[\s\S]*-->\s*$/.test(block.value);
}
