// Reads a folder of ralphex's settings: a project's `.ralphex/`, from which no link may lead out, or the user's own.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure, whyUnread } from '../../failure.ts';
import { readInside } from '../../plan/read-inside.ts';

/** One of ralphex’s files: `prompts/task`, and its text. */
type RalphexText = Readonly<{ name: string; text: string }>;

export type RalphexFolder = Readonly<{
  lines: readonly RalphexLine[];
  /** Prompts and agents by the names of their files, without `.txt`. */
  texts: readonly RalphexText[];
  /** Names of other files in it. */
  others: readonly string[];
}>;

const kinds = ['prompts', 'agents'] as const;

/** Reads it; `root`: the repository that it must be in. Undefined if there is none. */
export function readRalphexFolder(folder: string, root?: string): RalphexFolder | undefined {
  if (!existsSync(folder)) return undefined;
  const real = root === undefined ? undefined : realpathSync(root);
  const read = (name: string): string => readText(path.join(folder, name), real);
  const texts = kinds.flatMap((kind) =>
    listNames(path.join(folder, kind))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => ({ name: `${kind}/${name.slice(0, -4)}`, text: read(`${kind}/${name}`) })),
  );
  const names = listNames(folder);
  const unread = kinds.flatMap((kind) =>
    listNames(path.join(folder, kind))
      .filter((name) => !name.endsWith('.txt'))
      .map((name) => `${kind}/${name}`),
  );
  return {
    lines: names.includes('config') ? readRalphexConfig(read('config')) : [],
    texts,
    others: [...names.filter((name) => !['config', ...kinds].includes(name)), ...unread],
  };
}

function readText(file: string, root: string | undefined): string {
  if (root !== undefined) {
    const text = readInside(root, file);
    if (text !== undefined) return text;
    throw new Failure('config', `${file} is no file of this repository`, {
      hint: 'It is a link that leads out of it, or no regular file: put the file itself there.',
    });
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('config', `${file} cannot be read: ${whyUnread(error)}`, { cause: error });
  }
}

function listNames(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** One line that sets something; lines count from 1. */
type RalphexLine = Readonly<{ key: string; value: string; line: number }>;

/**
 * The settings in a `config`, parsed as ralphex does (c36bfdc): `key = value` lines, comments on lines of their own, keys
 * below a `[section]` ignored. If a key is set twice, the last one counts.
 */
export function readRalphexConfig(text: string): readonly RalphexLine[] {
  const found = new Map<string, RalphexLine>();
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const plain = raw.trim();
    if (/^\[.*\]$/.test(plain)) break;
    const [, key = '', value = ''] = /^([^#;=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(plain) ?? [];
    if (key !== '') found.set(key, { key, value: unquote(value), line: index + 1 });
  }
  return [...found.values()];
}

function unquote(value: string): string {
  const [, inner] = /^(?:"""|["'`])(.*?)(?:"""|["'`])$/.exec(value) ?? [];
  return inner ?? value;
}
