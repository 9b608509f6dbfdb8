// Reads a plan's text into tasks, checks and places, and is the one door to the markdown parser. It judges nothing: what
// it cannot use becomes a note. It never throws, whatever the text.
import path from 'node:path';
import type { Root } from 'mdast';
import { remark } from 'remark';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import { readPlanChecks } from './checks.ts';
import { noteAt } from './commands.ts';
import { readFrontMatter } from './front-matter.ts';
import { type LooseBlock, outlineOf } from './outline.ts';
import { parseInPieces } from './pieces.ts';
import { type Source, sourceOf } from './place.ts';
import type { Plan, PlanNote, Step } from './plan.ts';
import { readSteps } from './steps.ts';
import { readTask } from './task.ts';

const markdown = remark().use(remarkGfm).use(remarkFrontmatter, ['yaml']).freeze();

/** Reads a plan; `fileName` gives the title where the text has none. */
export function parsePlan(text: string, fileName: string): Plan {
  const source = sourceOf(text);
  const { root, notes: unread } = readMarkdown(source);
  const outline = outlineOf(root, source);
  const tasks = outline.tasks.map((section) => readTask(section, source));
  const { checks, notes: checkNotes } = readPlanChecks(outline.checks, source);
  const { settings, notes: settingNotes } = readFrontMatter(root.children[0], source);
  const loose = outline.loose.flatMap((block) => readLoose(block, source));
  return {
    title: outline.title ?? path.basename(fileName).replace(/\.(?:md|markdown)$/i, ''),
    overview: outline.overview,
    tasks: tasks.map(({ task }) => task),
    checks,
    looseSteps: loose.map(({ step }) => step),
    settings,
    notes: [
      ...unread,
      ...settingNotes,
      ...outline.notes,
      ...checkNotes,
      ...loose.map(({ note }) => note),
      ...tasks.flatMap(({ notes }) => notes),
    ],
    text,
  };
}

/** The tree of a text, with offsets into the text as it is, byte order mark included. */
function readMarkdown(source: Source): Readonly<{ root: Root; notes: readonly PlanNote[] }> {
  const notes: PlanNote[] = [];
  const parse = (text: string): Root => {
    try {
      return markdown.parse(text);
    } catch (error) {
      // Nesting of many thousand levels exhausts the parser's stack.
      const message = `a part of the plan cannot be read: ${(error as Error).message}`;
      notes.push(noteAt('unreadable', 'error', message, 0, source));
      return { type: 'root', children: [] };
    }
  };
  const hasMark = source.text.startsWith('\uFEFF');
  return { root: parseInPieces(source.text, parse, hasMark ? 1 : 0), notes };
}

function readLoose({ block, under }: LooseBlock, source: Source): { step: Step; note: PlanNote }[] {
  return readSteps([block], source).steps.map((step) => ({ step, note: looseNote(step, under) }));
}

function looseNote(step: Step, under: string | undefined): PlanNote {
  const numbered = /^[\p{L}]+\s*#?(\d[\w.]*)\s*[:.)–—-]?\s*(.*)$/u.exec(under ?? '');
  const where = under ? ` under "${under}"` : '';
  const form = numbered ? `### Task ${numbered[1]}: ${numbered[2] || 'title'}` : '### Task 1: title';
  const message = `this step${where} belongs to no task, so nobody does it: a task begins with a heading \`${form}\``;
  return { rule: 'step-outside-task', severity: 'warning', message, place: step.box };
}
