// Separates a plan's settings from front matter with which another tool, or a person, describes the document.
import type { FrontMatter } from './front-matter.ts';
import type { Plan } from './plan.ts';
import { isMeantAsSetting, isSettingOfPlan } from './settings.ts';
import { noteAt, type Source } from './text-position.ts';

/** Keys that describe a document, whatever made it. None of them is a setting, or a misspelled one. */
const describing = new Set(
  'title name description overview summary id type kind status priority date created updated modified author owner assignee tags labels aliases version todos'.split(
    ' ',
  ),
);

/** The settings of a plan. In a task list of another format, front matter with any other key is left alone as a whole. */
export function settingsIn(matter: FrontMatter, source: Source, format: Plan['format']): FrontMatter {
  const keys = [...source.text.slice(0, matter.end).matchAll(/^([\w-]+):/gm)].map(([, key = '']) => key);
  if (format === 'tasks') return withoutDescription(matter, keys, source);
  const unknown = keys.find((key) => !isSettingOfPlan(key));
  // If it cannot be parsed and sets something a plan may set, that remains an error.
  const isOurs = matter.notes.length > 0 && keys.some(isSettingOfPlan);
  return unknown === undefined || isOurs ? matter : leftAlone(matter, { keys, unknown, source });
}

/** If no key is meant for a plan, everything is left alone; else only the keys that describe the document. */
function withoutDescription(matter: FrontMatter, keys: readonly string[], source: Source): FrontMatter {
  const described = keys.filter((key) => describing.has(key.toLowerCase()));
  const [unknown] = described;
  if (unknown === undefined) return matter;
  const others = keys.filter((key) => !described.includes(key));
  if (!others.some(isMeantAsSetting)) return leftAlone(matter, { keys, unknown, source });
  const settings = new Map([...matter.settings].filter(([key]) => !described.includes(key)));
  return { ...matter, settings };
}

function leftAlone(
  matter: FrontMatter,
  { keys, unknown, source }: Readonly<{ keys: readonly string[]; unknown: string; source: Source }>,
): FrontMatter {
  const remedy = keys.includes('todos') ? ': `pawl import FILE` makes a plan from its `todos`' : '';
  const message = `the front matter is another tool's (\`${unknown}\` is not a plan setting), so it is ignored${remedy}`;
  return {
    settings: new Map(),
    notes: [noteAt(source, 0, { rule: 'front-matter', severity: 'warning', message })],
    end: matter.end,
  };
}
