// The text of a plan outside its tasks, and its sections there, recognized by their headings.
import { endOfFrontMatter } from './front-matter.ts';
import type { Plan, Task } from './plan.ts';

/** A section outside the tasks; without a heading it is what precedes the first. */
export type PlanSection = Readonly<{ heading: string | undefined; text: string }>;

/** A plan's text without the sections of some tasks, which are in its order. */
export function textOutside(text: string, tasks: readonly Task[]): string {
  let rest = '';
  let from = 0;
  for (const { place, source } of tasks) {
    rest += text.slice(from, place.offset);
    from = place.offset + source.length;
  }
  return rest + text.slice(from);
}

/** The sections outside all tasks, in order; the title is not one, and headings in fences and comments do not count. */
export function sectionsOutside(plan: Plan): readonly PlanSection[] {
  const sections: { heading: string | undefined; lines: string[] }[] = [{ heading: undefined, lines: [] }];
  let fence = '';
  for (const line of withoutMatter(textOutside(plan.text, plan.tasks)).split(/\r\n|\n|\r/)) {
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = ticks;
    else if (ticks.startsWith(fence)) fence = '';
    const heading = fence === '' ? /^ ?#{1,6}[ \t]+(.*?)[ \t#]*$/.exec(line) : null;
    const isTitle = heading !== null && /^ ?#[ \t]/.test(line);
    if (heading && !isTitle) sections.push({ heading: heading[1] ?? '', lines: [] });
    else if (!isTitle) sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }));
}

function withoutMatter(text: string): string {
  return text.slice(endOfFrontMatter(text)).replace(/<!--[\s\S]*?-->/g, '');
}
