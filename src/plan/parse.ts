// Parses a plan's text into tasks, checks and positions. What it cannot use becomes a note; it never throws, whatever the
// text.
import type { ListItem, Nodes, RootContent } from 'mdast';
import { DeadlineError, withDeadline } from '../deadline.ts';
import { nameOfPlan } from './branch.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { ParserError, pieceInWork, readMarkdown } from './markdown.ts';
import { type Command, checksOf, commandOfFence, commandOfSpan, spanAt } from './markdown-commands.ts';
import { type LooseBlock, outlineOf } from './outline.ts';
import type { Check, Plan, PlanNote, Step, Task } from './plan.ts';
import type { Section } from './section.ts';
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
  const remedies = {
    tasks: `a task begins with a heading \`${form}\``,
    sections: 'tasks here are sections with a number, as `## 5. Title`',
    list: 'tasks here are the boxes of the section `Tasks`',
  };
  const message = `this box${where} is not part of any task, so nobody works on it: ${remedies[format]}`;
  return { rule: 'step-outside-task', severity: 'warning', message, place: step.box };
}

/** The sections with ids that differ, and what an author should know of those that did not. */
type ToldApart = Readonly<{
  sections: readonly Section[];
  notes: readonly PlanNote[];
  /** Ids that stand several times in the text. */
  twice: ReadonlySet<string>;
}>;

/** Gives the second task 9 the id `9-2`, and so on. */
function distinguishSections(sections: readonly Section[], source: Source): ToldApart {
  const taken = new Set(sections.map(({ id }) => id));
  const first = new Map<string, Section>();
  const twice = new Set<string>();
  const notes: PlanNote[] = [];
  const apart = sections.map((section) => {
    const before = first.get(section.id);
    if (!before) {
      first.set(section.id, section);
      return section;
    }
    twice.add(section.id);
    const id = freeId(section.id, taken);
    taken.add(id);
    const message = `task ${section.id} stands on line ${source.placeAt(before.start).line} too, so this one is called ${id}: give it a number of its own`;
    notes.push(noteAt(source, section.start, { rule: 'duplicate-id', severity: 'warning', message }));
    return { ...section, id };
  });
  return { sections: apart, notes, twice };
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** Which of them is meant where a task waits for such a number is not for pawl to guess. */
function unclearDepends(tasks: readonly Task[], twice: ReadonlySet<string>): readonly PlanNote[] {
  return tasks.flatMap((task) => {
    const unclear = (task.depends ?? []).filter((id) => twice.has(id));
    return unclear.map((id): PlanNote => {
      const message = `task ${task.id} depends on task ${id}, and several tasks have that number: give each a number of its own`;
      return { rule: 'duplicate-id', severity: 'error', message, place: task.dependsPlace ?? task.place };
    });
  });
}

/** The checks of `## Validation Commands` or `## Checks`, and notes on the rest of such a section. */
function readPlanChecks(
  blocks: readonly RootContent[],
  source: Source,
): Readonly<{ checks: readonly Check[]; notes: readonly PlanNote[] }> {
  const found = blocks.flatMap((block) => readBlock(block, source));
  const commands = found.flatMap((item) => ('command' in item ? [item] : []));
  const notes = found.flatMap((item) => ('command' in item ? item.notes : [item]));
  return { checks: checksOf(commands, 'plan', 'plan', source), notes };
}

function readBlock(block: Nodes, source: Source): (Command | PlanNote)[] {
  switch (block.type) {
    case 'list':
      return block.children.flatMap((item) => readItem(item, source));
    case 'code':
      return [
        commandOfFence(block, source) ?? noCommand(block, 'a code block that is no shell text', source),
      ];
    case 'heading':
    case 'html':
    case 'thematicBreak':
    case 'definition':
      return [];
    default:
      return [noCommand(block, 'text', source)];
  }
}

function readItem(item: ListItem, source: Source): (Command | PlanNote)[] {
  const [first, ...rest] = item.children;
  const below = rest.flatMap((block) => readBlock(block, source));
  if (first === undefined) return [];
  if (first.type !== 'paragraph') return [...readBlock(first, source), ...below];
  const start = first.children[0]?.position?.start.offset ?? 0;
  const text = source.text.slice(start, first.position?.end.offset);
  const span = spanAt(first, start + text.length - text.trimStart().length);
  if (span) return [commandOfSpan(span, first, source), ...below];
  // A label over commands of its own needs no remark.
  if (below.some((entry) => 'command' in entry)) return below;
  return [noCommand(first, 'a line that does not begin with a command in backticks', source), ...below];
}

function noCommand(node: Nodes, what: string, source: Source): PlanNote {
  const offset = node.position?.start.offset ?? 0;
  const message = `${what} in the checks section is no check: write "- \`command\`" or a fenced \`sh\` block, or move it elsewhere`;
  return noteAt(source, offset, { rule: 'no-command', severity: 'warning', message });
}
