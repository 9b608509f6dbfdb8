// Parses a plan's text into tasks, checks and positions. What it cannot use becomes a note; it never throws, whatever the
// text.
import { DeadlineError, withDeadline } from '../deadline.ts';
import { nameOfPlan } from './branch.ts';
import { readPlanChecks } from './checks.ts';
import { distinguishSections, unclearDepends } from './duplicates.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { ParserError, pieceInWork, readMarkdown } from './markdown.ts';
import { type LooseBlock, outlineOf } from './outline.ts';
import type { Plan, PlanNote, Step } from './plan.ts';
import { isSettingOfPlan } from './settings.ts';
import { readSteps } from './steps.ts';
import { readTask } from './task.ts';
import { noteAt, type Source, sourceOf } from './text-position.ts';

/** What was read last: a run asks for the same text several times per task, and a long one takes a tenth of a second. */
let last: Readonly<{ text: string; fileName: string; plan: Plan }> | undefined;

/** Reads a plan; `fileName` gives the title where the text has none. */
export function parsePlan(text: string, fileName: string): Plan {
  if (last?.text !== text || last.fileName !== fileName)
    last = { text, fileName, plan: parse(text, fileName) };
  return last.plan;
}

function parse(text: string, fileName: string): Plan {
  const source = sourceOf(text);
  const title = nameOfPlan(fileName);
  try {
    return withDeadline(mostMs, () => readPlan(source, title));
  } catch (error) {
    // A bug of our own must not look like a bad plan.
    if (![RangeError, ParserError, DeadlineError].some((known) => error instanceof known)) throw error;
    return unreadable(source, title, (error as Error).message);
  }
}

/** The parser's time grows with the square of some texts; one of 100 kB, more than anybody wrote, takes half a second. */
const mostMs = 3_000;

function unreadable(source: Source, title: string, why: string): Plan {
  const offset = Math.max(0, source.text.indexOf(pieceInWork));
  const message = `the plan cannot be read as markdown: ${why}; take this part out or apart`;
  const notes = [noteAt(source, offset, { rule: 'unreadable', severity: 'error', message })];
  const { text } = source;
  return { title, format: 'tasks', overview: '', tasks: [], checks: [], settings: new Map(), notes, text };
}

function readPlan(source: Source, fallbackTitle: string): Plan {
  const matter = readFrontMatter(source);
  const root = readMarkdown(source.text, matter.end);
  const outline = outlineOf(root, source);
  const apart = distinguishSections(outline.tasks, source);
  const tasks = apart.sections.map((section) => readTask(section, source));
  const { checks, notes: checkNotes } = readPlanChecks(outline.checks, source);
  const { settings, notes: settingNotes } =
    outline.format === 'tasks' ? matter : withoutForeignMatter(matter, source);
  const loose = outline.loose.flatMap((block) => readLoose(block, outline.format, source));
  const looseNotes = loose.flatMap(({ notes }) => notes);
  const taskNotes = [
    ...apart.notes,
    ...unclearDepends(
      tasks.map(({ task }) => task),
      apart.twice,
    ),
    ...tasks.flatMap(({ notes }) => notes),
  ];
  return {
    title: outline.title ?? fallbackTitle,
    format: outline.format,
    overview: outline.overview,
    tasks: tasks.map(({ task }) => task),
    checks,
    looseSteps: loose.map(({ step }) => step),
    settings,
    notes: [...settingNotes, ...outline.notes, ...checkNotes, ...looseNotes, ...taskNotes],
    text: source.text,
  };
}

/** Another tool's list has settings of another tool before it: they are left to it, whole. */
function withoutForeignMatter(matter: FrontMatter, source: Source): FrontMatter {
  const keys = [...source.text.slice(0, matter.end).matchAll(/^([\w-]+):/gm)].map(([, key = '']) => key);
  const unknown = keys.find((key) => !isSettingOfPlan(key));
  // One that cannot be read and sets something of a plan stays an error.
  const isOurs = matter.notes.length > 0 && keys.some(isSettingOfPlan);
  if (unknown === undefined || isOurs) return matter;
  const message = `the front matter is another tool's (\`${unknown}\` is no setting of a plan), so none of it is taken`;
  return {
    settings: new Map(),
    notes: [noteAt(source, 0, { rule: 'front-matter', severity: 'warning', message })],
    end: matter.end,
  };
}

function readLoose(
  { block, under }: LooseBlock,
  format: Plan['format'],
  source: Source,
): { step: Step; notes: readonly PlanNote[] }[] {
  return readSteps([block], source).steps.map((step) => ({
    step,
    notes: step.ticked ? [] : [looseNote(step, under, format)],
  }));
}

function looseNote(step: Step, under: string | undefined, format: Plan['format']): PlanNote {
  const numbered = /^[\p{L}]+\s*#?(\d[\w.]*)\s*[:.)–—-]?\s*(.*)$/u.exec(under ?? '');
  const where = under ? ` under "${under}"` : '';
  const form = numbered ? `### Task ${numbered[1]}: ${numbered[2] || 'title'}` : '### Task 1: title';
  const remedy =
    format === 'sections'
      ? 'tasks here are sections with a number, as `## 5. Title`'
      : `a task begins with a heading \`${form}\``;
  const message = `this box${where} is not part of any task, so nobody works on it: ${remedy}`;
  return { rule: 'step-outside-task', severity: 'warning', message, place: step.box };
}
