// Finds a template's file: the project's, then the user's, then the shipped one; reads a reviewer's persona.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type AgentName, agentNames } from '../agent-name.ts';
import type { Stage } from '../config/stages.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { fillKnown, findPlaces, type Template } from './template.ts';

/**
 * Folders with `prompts/<name>` and `reviewers/<name>`, `.md` or `.txt`; the first wins. An untrusted project's is
 * absent.
 */
export type Library = readonly string[];

/** A missing template, or an unknown reviewer, throws a Failure. */
export function readTemplate(library: Library, name: string): Template {
  const found = findFile(library, 'prompts', name);
  if (found) return { ...found, agents: readAgents(library, found) };
  throw new Failure('config', `there is no template prompts/${name}.md in ${library.join(', ')}`, {
    hint: 'Reinstall pawl, or put the file back.',
  });
}

/** An unknown one throws a Failure that names the others. */
export function readReviewer(library: Library, name: string): Persona {
  const found = findFile(library, 'reviewers', name) ?? findReviewPrompt(library, name);
  if (found) return readPersona(found);
  throw new Failure('config', `there is no reviewer ${name}`, {
    hint: `There are ${listReviewers(library).join(', ')}; the file .pawl/templates/reviewers/${name}.md would define it.`,
  });
}

/** ralphex's form: one reviewer that launches those it names. */
function findReviewPrompt(library: Library, name: string): Template | undefined {
  const isOne = Object.values(stagePrompts).includes(name);
  const found = isOne ? findFile(library, 'prompts', name) : undefined;
  return found && { ...found, text: fillKnown(found.text, readAgents(library, found)) };
}

const stagePrompts: Readonly<Record<string, string>> = { first: 'review_first', final: 'review_second' };

export function withStagePrompts(stages: readonly Stage[], library: Library): readonly Stage[] {
  return stages.map((stage) => {
    const prompt = stagePrompts[stage.name];
    const isOwn = prompt !== undefined && stage.script === undefined && findFile(library, 'prompts', prompt);
    return isOwn ? { ...stage, reviewers: [prompt] } : stage;
  });
}

/** ralphex's `{{agent:NAME}}` launches a sub-agent. */
function readAgents(library: Library, { file, text }: Template): Readonly<Record<string, string>> {
  const places = findPlaces(text).filter((place) => place.name.startsWith('agent:'));
  const agents = places.map(({ name: whole, line }) => {
    const name = whole.slice('agent:'.length);
    const found = findFile(library, 'reviewers', name);
    if (!found)
      throw new Failure('config', `${file}:${line}: there is no reviewer ${name} for {{agent:${name}}}`, {
        hint: `There are ${listReviewers(library).join(', ')}.`,
      });
    const { text: looks, subAgent } = readPersona(found);
    const persona = codeBlock(looks, '');
    const type = subAgent === undefined ? '' : ` of the type ${subAgent}`;
    return [
      whole,
      `Launch a sub-agent${type} for this with the Task tool, and have it report only what it finds:\n\n${persona}`,
    ] as const;
  });
  return Object.fromEntries(agents);
}

function listReviewers(library: Library): readonly string[] {
  const folders = library
    .map((folder) => path.join(folder, 'reviewers'))
    .filter((folder) => existsSync(folder));
  const names = folders
    .flatMap((folder) => readdirSync(folder))
    .flatMap((file) => /^(.+)\.(?:md|txt)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

const otherNames: Readonly<Record<string, string>> = { plan: 'make_plan' };

function findFile(library: Library, kind: 'prompts' | 'reviewers', name: string): Template | undefined {
  const other = kind === 'prompts' ? otherNames[name] : undefined;
  const files = [name, ...(other === undefined ? [] : [other])].flatMap((one) => [`${one}.md`, `${one}.txt`]);
  for (const file of library.flatMap((folder) => files.map((one) => path.join(folder, kind, one)))) {
    const text = readText(file);
    if (text !== undefined) return { name, file, text };
  }
  return undefined;
}

/** Leading comment lines in a `.txt` are notes; without other text it counts as missing, as what is no file does. */
function readText(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.txt')) return text;
  const plain = text.replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?(?:\n|$))+/, (notes) =>
    notes.replace(/[^\n]/g, ''),
  );
  return plain.trim() === '' ? undefined : plain;
}

export function codeSpan(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  return marks.length === 1 ? `\`${text}\`` : `${marks} ${text} ${marks}`;
}

export function codeBlock(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text.trimEnd()}\n${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

const settingsSchema = z.strictObject({
  /** As `model[:effort]`; absent: the role's. */
  model: z.string().min(1).optional(),
  /** One of pawl's, else the type of a sub-agent, as in ralphex; absent: the stage's agent. */
  agent: z.string().min(1).optional(),
  /** Absent: all that read. */
  tools: z.array(z.string().min(1)).optional(),
  minSeverity: z
    .never('was removed: what a proof confirms is fixed, and minor opinions start nothing')
    .optional(),
});

export type Persona = Readonly<{
  name: string;
  text: string;
  agent?: AgentName;
  subAgent?: string;
}> &
  Readonly<Omit<z.infer<typeof settingsSchema>, 'agent'>>;

export function readPersona({ name, file, text }: Template): Persona {
  const [whole = '', yaml = ''] =
    /^\uFEFF?\s*---[ \t]*\r?\n((?:[\s\S]*?\n)??)---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  if (body === '')
    throw new Failure('config', `${file}: the reviewer has no instructions`, {
      hint: 'Say below its settings what it should look for, and what evidence a finding needs.',
    });
  const { agent, ...settings } = readSettings(file, yaml);
  const known = agentNames.find((one) => one === agent);
  return {
    name,
    text: body,
    ...settings,
    ...defined({ agent: known, subAgent: agent === undefined || known !== undefined ? undefined : agent }),
  };
}

function readSettings(file: string, yaml: string): z.infer<typeof settingsSchema> {
  const result = settingsSchema.safeParse(parseYaml(file, yaml) ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw new Failure('config', `${file}: ${where}${issue?.message ?? 'not a reviewer'}`, {
    hint: `A reviewer may set ${Object.keys(settingsSchema.shape).join(', ')}.`,
  });
}

function parseYaml(file: string, yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    const [what = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Failure('config', `${file}: the settings before the text are not valid YAML: ${what}`);
  }
}
