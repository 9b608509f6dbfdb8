// Parses a plan's text; what it cannot use becomes a note, and it never throws.
import { oneLine } from './attributes.ts';
import { ParserError, readMarkdown } from './markdown.ts';
import { readPlanChecks } from './markdown-commands.ts';
import { outlineOf } from './outline.ts';
import { changedBoxes, type Plan, type Task } from './plan.ts';
import { nameOfPlan } from './plan-name.ts';
import { type FrontMatter, folderIn, isSettingOfPlan, readFrontMatter } from './settings.ts';
import { noteNoSteps } from './steps.ts';
import { readTask } from './task.ts';
import { type Section, type Source, sourceOf } from './text-position.ts';

/** A run asks for the same few texts several times per task, and 1,000 tasks take a second. */
const known = new Map<string, Plan>();
const mostKnown = 8;

/** `fileName` gives the title if the text has none. */
export function parsePlan(text: string, fileName: string): Plan {
  const key = `${fileName}\0${text}`;
  const plan = known.get(key) ?? takeTicks(text, fileName) ?? parse(text, fileName);
  known.delete(key);
  known.set(key, plan);
  if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
  return plan;
}

/** A known plan with the boxes of `text`, if nothing else differs: all places stay. */
function takeTicks(text: string, fileName: string): Plan | undefined {
  const isOfFile = ([key]: readonly [string, Plan]) => key.startsWith(`${fileName}\0`);
  const isOnlyTicked = (plan: Plan) => changedBoxes(plan, text)?.every(({ task }) => task !== undefined);
  const [, plan] = [...known].find((one) => isOfFile(one) && isOnlyTicked(one[1])) ?? [];
  const tasks = plan?.tasks.map((task) => {
    const source = text.slice(task.place.offset, task.place.offset + task.source.length);
    if (source === task.source) return task;
    const steps = task.steps.map((step) => ({ ...step, ticked: /[xX]/.test(text[step.box.offset] ?? '') }));
    return { ...task, steps, source };
  });
  return plan && tasks && { ...plan, tasks, text };
}

function parse(text: string, fileName: string): Plan {
  const source = sourceOf(text);
  const title = nameOfPlan(fileName);
  try {
    return readPlan(source, title);
  } catch (error) {
    // Nesting that exhausts the stack is the text's fault; a bug of our own must not look like a bad plan.
    if (!(error instanceof RangeError || error instanceof ParserError)) throw error;
    return unreadable(source, title, error);
  }
}

function unreadable(source: Source, title: string, error: Error): Plan {
  const offset = error instanceof ParserError ? error.offset : 0;
  const message = `the plan cannot be read as markdown: ${error.message}; remove or split this part`;
  const { text, placeAt } = source;
  const notes = [{ rule: 'unreadable', severity: 'error', message, place: placeAt(offset) } as const];
  return { title, format: 'tasks', overview: '', tasks: [], checks: [], settings: new Map(), notes, text };
}

function readPlan(source: Source, fallbackTitle: string): Plan {
  const matter = readFrontMatter(source);
  const root = readMarkdown(source.text, matter.end);
  noteNoSteps(root, source);
  const outline = outlineOf(root, source, titleIn(matter) ?? fallbackTitle);
  const { title, format, overview, looseSteps } = outline;
  const { sections, twice } = distinguishSections(outline.tasks, source);
  const settings = settingsIn(matter, source, format);
  const folder = folderIn({ settings }) ?? '.';
  const tasks = sections.map((section) => readTask(section, folder, source));
  noteUnclearDepends(tasks, twice, source);
  return {
    title,
    format,
    overview,
    tasks,
    checks: readPlanChecks(outline.checks, folder, source),
    looseSteps,
    settings,
    notes: source.notes(),
    text: source.text,
  };
}

function titleIn({ settings }: FrontMatter): string | undefined {
  const value = settings.get('title')?.value ?? settings.get('name')?.value;
  return typeof value === 'string' && value.trim() !== '' ? oneLine(value) : undefined;
}

/** The second task 9 becomes `9-2`. */
function distinguishSections(
  sections: readonly Section[],
  source: Source,
): Readonly<{ sections: readonly Section[]; twice: ReadonlySet<string> }> {
  const byId = Map.groupBy(sections, ({ id }) => id);
  const taken = new Set(byId.keys());
  const twice = new Set([...byId].flatMap(([id, all]) => (all.length > 1 ? id : [])));
  const apart = sections.map((section) => {
    const [first = section] = byId.get(section.id) ?? [];
    if (first === section) return section;
    const id = freeId(section.id, taken);
    taken.add(id);
    const message = `task ${section.id} stands on line ${source.placeAt(first.start).line} too, so this one is called ${id}: give it its own number`;
    source.note(section.start, { rule: 'duplicate-id', severity: 'warning', message });
    return { ...section, id };
  });
  return { sections: apart, twice };
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** pawl does not guess which of several is waited for. */
function noteUnclearDepends(tasks: readonly Task[], twice: ReadonlySet<string>, { note }: Source): void {
  for (const { id, depends = [], dependsPlace, place } of tasks)
    for (const other of depends.filter((one) => twice.has(one))) {
      const message = `task ${id} depends on task ${other}, and several tasks have that number: give each its own number`;
      note((dependsPlace ?? place).offset, { rule: 'duplicate-id', severity: 'error', message });
    }
}

const describing = new Set(
  'title name description overview summary id type kind status priority date created updated modified author owner assignee tags labels aliases version todos'.split(
    ' ',
  ),
);

/** In another tool's list, an unknown key is that tool's, and so is all the rest. */
function settingsIn(matter: FrontMatter, source: Source, format: Plan['format']): Plan['settings'] {
  const isDescribing = (key: string) => describing.has(key.toLowerCase());
  const keys = [...source.text.slice(0, matter.end).matchAll(/^([\w-]+):/gm)].map(([, key = '']) => key);
  const unknown = keys.find((key) => !isSettingOfPlan(key) && !isDescribing(key));
  const isOurs = keys.some(isSettingOfPlan);
  if (format !== 'tasks' && unknown !== undefined && !(isOurs && matter.mistake)) {
    const message = `the front matter is another tool's (\`${unknown}\` is not a plan setting), so it is ignored`;
    source.note(0, { rule: 'front-matter', severity: 'warning', message });
    return new Map();
  }
  const { mistake } = matter;
  // Unreadable and only describing: nobody's mistake here.
  if (mistake && (isOurs || !keys.some(isDescribing)))
    source.note(mistake.offset, { rule: 'front-matter', severity: 'error', message: mistake.message });
  return new Map([...matter.settings].filter(([key]) => !isDescribing(key)));
}
