// What becomes of a whole folder of ralphex's settings: one entry for each line and file, and pawl's files made from them.
// Pure.
import { stringify } from 'yaml';
import { nest } from '../../config/merge.ts';
import { isSecretKey } from './notify-settings.ts';
import type { RalphexFolder } from './read-folder.ts';
import { reviewStages } from './review-settings.ts';
import { translateSetting } from './settings.ts';
import { type Around, translateText } from './texts.ts';
import type { Fate, Translated, Values } from './translated.ts';

/** What became of one line or file. */
export type Entry = Readonly<{
  fate: Fate;
  /** `config:12 task_model = opus`, `prompts/task.txt`. */
  what: string;
  /** What it is now: settings, or a file; empty if nothing. */
  now: string;
  why: string;
}>;

/** One of pawl's files, below its folder. */
export type MadeFile = Readonly<{ file: string; text: string }>;

/** What a folder becomes. */
export type TranslatedFolder = Readonly<{ entries: readonly Entry[]; files: readonly MadeFile[] }>;

/** `tellsReview`: includes that ralphex reviews without being asked to. `checks`: what the project's files suggest. */
export type TranslateOptions = Readonly<{
  values: Values;
  around: Around;
  /** The folder's name. */
  from: string;
  tellsReview: boolean;
  checks: readonly string[];
}>;

/** Translates it. */
export function translateFolder(folder: RalphexFolder, options: TranslateOptions): TranslatedFolder {
  const { values, around, from } = options;
  const settings: Record<string, unknown> = {};
  const entries: Entry[] = [];
  for (const { key, value, line } of folder.lines) {
    const made = translateSetting(key, value, values);
    Object.assign(settings, made.set);
    const shown = isSecretKey(key) && value !== '' ? '…' : value;
    entries.push({
      fate: made.fate,
      what: `config:${line}  ${`${key} = ${shown}`.trim()}`,
      now: formatSet(made.set),
      why: made.why,
    });
  }
  for (const { set, ...unsaid } of unsaidSettings(options, settings)) {
    Object.assign(settings, set);
    entries.push({ ...unsaid, now: formatSet(set) });
  }
  const files: MadeFile[] = [];
  for (const text of folder.texts) {
    const { fate, why, file, text: made } = translateText(text, around);
    const name = file === undefined ? '' : `templates/${file}`;
    const isTwice = files.some((other) => other.file === name);
    entries.push({
      fate: isTwice ? 'no counterpart' : fate,
      what: `${text.name}.txt`,
      now: isTwice ? '' : name,
      why: isTwice ? `${name} is made of another prompt` : why,
    });
    if (made !== undefined && !isTwice) files.push({ file: name, text: made });
  }
  for (const name of folder.others) entries.push({ ...judgeOther(name), what: name, now: '' });
  return { entries: join(entries), files: [...configFile(settings, from), ...files] };
}

/** What ralphex does without a setting, and pawl only with one. */
function unsaidSettings(
  { values, tellsReview, checks }: TranslateOptions,
  settings: Readonly<Record<string, unknown>>,
) {
  const review = {
    fate: 'changed' as const,
    what: 'the review after the tasks',
    why: 'ralphex always reviews, pawl only if asked to; leave it out to review only with --review',
    set: { 'review.stages': reviewStages(values) },
  };
  const check = {
    fate: 'changed' as const,
    what: 'plans that name no command to check with',
    why: 'in ralphex the model finds one, in pawl nothing is checked; these are proposed from the files here',
    set: { checks },
  };
  return [
    ...(tellsReview && settings['review.stages'] === undefined ? [review] : []),
    ...(checks.length > 0 ? [check] : []),
  ];
}

function configFile(settings: Readonly<Record<string, unknown>>, from: string): readonly MadeFile[] {
  if (Object.keys(settings).length === 0) return [];
  const text = [
    `# Made of ${from}/config by pawl migrate. All settings and what they mean: pawl config schema.`,
    stringify(nest(Object.entries(settings)), { lineWidth: 0 }),
  ].join('\n');
  return [{ file: 'config.yaml', text }];
}

function formatSet(set: Translated['set'] = {}): string {
  const shown = Object.entries(set).map(
    ([name, value]) => [name, name === 'notify.urls' ? hideSecrets(value) : value] as const,
  );
  const byValue = Map.groupBy(shown, ([, value]) => JSON.stringify(value));
  return [...byValue]
    .map(([value, names]) => `${names.map(([name]) => name).join(', ')}: ${value.replace(/^"(.*)"$/, '$1')}`)
    .join('; ');
}

function hideSecrets(urls: unknown): unknown {
  return (urls as readonly string[]).map((url) => url.replace(/:\/\/.*$/, '://…'));
}

function judgeOther(name: string): Readonly<{ fate: Fate; why: string }> {
  if (name === 'progress')
    return { fate: 'not needed', why: 'pawl has its journal of each run in .git/pawl' };
  if (name === 'worktrees') return { fate: 'not needed', why: 'pawl’s own trees are in its state folder' };
  if (name === '.gitignore')
    return { fate: 'not needed', why: 'pawl writes nothing there that git should not know' };
  return { fate: 'no counterpart', why: 'ralphex does not read it by itself; it stays where it is' };
}

/** Entries with the same reason are reported together; for settings that have no effect the names are enough. */
function join(entries: readonly Entry[]): readonly Entry[] {
  const groups = Map.groupBy(entries, ({ fate, why, now }) =>
    JSON.stringify(now === '' ? [fate, why] : [fate, why, now]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const isBrief = group.length > 1 && first.now === '';
    const names = group.map(({ what }) => (isBrief ? what.replace(/ = .*$/s, '') : what));
    return [{ ...first, what: names.join(', ') }];
  });
}
