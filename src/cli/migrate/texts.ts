// What a prompt or reviewer of ralphex becomes: where it belongs in pawl, and its text with the placeholders that pawl
// fills. Pure.
import { parse, stringify } from 'yaml';
import { isRalphexOwn, withoutNotes } from './own-texts.ts';
import type { Fate } from './translated.ts';

/** One of ralphex’s files: `prompts/task`, and its text. */
export type RalphexText = Readonly<{ name: string; text: string }>;

/** What becomes of it. `file`: where it belongs below `templates/`, with `text`. */
export type TranslatedText = Readonly<{ fate: Fate; why: string; file?: string; text?: string }>;

/** What the placeholders in a text stand for: the plans’ folder, and the existing reviewers. */
export type Around = Readonly<{ plansFolder: string; reviewers: ReadonlySet<string> }>;

/** Prompts that pawl has under the same name, with what each does there. */
const prompts: Readonly<Record<string, string>> = {
  task: 'pawl runs the checks, ticks and commits after it, whatever it tells the agent to do',
  make_plan: 'for pawl plan',
  review_first:
    'it is the only reviewer of the stage first; without it that stage has five, each a session of its own',
  review_second: 'it is the only reviewer of the stage final; pawl’s fixer fixes what it reports',
  finalize: 'used if finalize.prompt is set',
};

const judging = 'pawl’s fixer judges each finding and fixes it or says why not; its prompt is prompts/fix.md';

const others: Readonly<Record<string, string>> = { codex: judging, custom_eval: judging };

/** Translates one file. */
export function translateText({ name, text }: RalphexText, around: Around): TranslatedText {
  const plain = withoutNotes(text);
  if (plain === '') return { fate: 'not needed', why: 'it has nothing but comments' };
  if (isRalphexOwn(text)) return { fate: 'not needed', why: 'it is ralphex’s own text; pawl has its own' };
  const [kind, base = ''] = name.split('/');
  if (kind === 'agents')
    return translateAgent(
      base,
      plain.startsWith('---\n') ? plain : text.replaceAll('\r\n', '\n').trim(),
      around,
    );
  if (others[base] !== undefined) return { fate: 'not needed', why: others[base] };
  if (base === 'codex_review' || base === 'custom_review')
    return write('reviewers/external.md', plain, {
      around,
      known: personaWords,
      why: 'pawl adds the plan, what was rejected before, and how to answer',
    });
  const why = prompts[base];
  if (why === undefined) return { fate: 'no counterpart', why: 'ralphex has no prompt of that name' };
  const known = base === 'make_plan' ? planWords : personaWords;
  return write(`prompts/${base}.md`, plain, { around, known, why });
}

const personaWords = ['PLAN_FILE', 'PROGRESS_FILE', 'GOAL', 'DEFAULT_BRANCH'];
const planWords = ['PLAN_DESCRIPTION', 'PROGRESS_FILE', 'PLANS_DIR', 'DEFAULT_BRANCH'];

function write(
  file: string,
  text: string,
  { around, known, why }: Readonly<{ around: Around; known: readonly string[]; why: string }>,
): TranslatedText {
  const { words, changes } = translateWords(text, around, known);
  return changes.length === 0
    ? { fate: 'taken', why, file, text: `${words}\n` }
    : { fate: 'changed', why: `${changes.join('; ')}; ${why}`, file, text: `${words}\n` };
}

/** Placeholders that pawl fills stay; some are translated; what ralphex would leave as it is stays so. */
function translateWords(text: string, { plansFolder, reviewers }: Around, known: readonly string[]) {
  const changes = new Set<string>();
  const meanings: Readonly<Record<string, string>> = {
    PLANS_DIR: plansFolder,
    DIFF_INSTRUCTION: 'git diff {{DEFAULT_BRANCH}}...HEAD',
    PREVIOUS_REVIEW_CONTEXT: '',
  };
  const words = text.replaceAll(/\{\{\s*([A-Za-z][\w:-]*)\s*\}\}/g, (whole, word: string) => {
    const [, agent] = /^agent:(.+)$/.exec(word) ?? [];
    if (known.includes(word) || (agent !== undefined && reviewers.has(agent))) return whole;
    const meant = Object.hasOwn(meanings, word) ? meanings[word] : undefined;
    const now = meant ?? `{${word}}`;
    changes.add(now === '' ? `without ${whole}` : `${whole} → ${now}`);
    return now;
  });
  return { words, changes: [...changes] };
}

function translateAgent(name: string, text: string, around: Around): TranslatedText {
  const file = `reviewers/${name}.md`;
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    return {
      fate: 'no counterpart',
      why: 'a reviewer’s name has lower-case letters, digits and dashes only: rename it',
    };
  const { settings, dropped, body } = readSettings(text);
  const { words, changes } = translateWords(body, around, personaWords);
  const head = Object.keys(settings).length > 0 ? `---\n${stringify(settings)}---\n` : '';
  const all = [...dropped.map((key) => `without the setting ${key}, which neither reads`), ...changes];
  return {
    fate: all.length > 0 ? 'changed' : 'taken',
    why: all.join('; '),
    file,
    text: `${head}${words}\n`,
  };
}

/** ralphex reads `model` and `agent`, and treats invalid YAML as text. */
function readSettings(text: string) {
  const none = { settings: {}, dropped: [] as string[], body: text };
  const [whole, yaml = ''] = /^---\n([\s\S]*?)\n---(?=\n|$)/.exec(text) ?? [];
  if (whole === undefined) return none;
  const found = parseMap(yaml);
  if (!found) return none;
  const settings = Object.fromEntries(
    Object.entries(found).filter(
      ([key, value]) => (key === 'model' || key === 'agent') && typeof value === 'string' && value !== '',
    ),
  );
  const dropped = Object.keys(found).filter((key) => !Object.hasOwn(settings, key));
  return { settings, dropped, body: text.slice(whole.length).trim() };
}

function parseMap(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(yaml);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
