// Reads ralphex's settings: a project's `.ralphex/`, from which no link may lead out, or the user's own.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../../digest.ts';
import { Failure, whyUnread } from '../../failure.ts';
import { readInside } from '../../plan/read-inside.ts';

/** `texts`: by names as `prompts/task`. */
export type RalphexFolder = Readonly<NonNullable<ReturnType<typeof readRalphexFolder>>>;

const kinds = ['prompts', 'agents'] as const;

/** `root`: the repository that it must be in. */
export function readRalphexFolder(folder: string, root?: string) {
  if (!existsSync(folder)) return undefined;
  const real = root === undefined ? undefined : realpathSync(root);
  const read = (name: string): string => readText(path.join(folder, name), real);
  const texts = kinds.flatMap((kind) =>
    listNames(path.join(folder, kind))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => ({ name: `${kind}/${name.slice(0, -4)}`, text: read(`${kind}/${name}`) })),
  );
  return {
    lines: listNames(folder).includes('config') ? readRalphexConfig(read('config')) : [],
    texts,
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

/** Lines count from 1. */
type RalphexLine = Readonly<{ key: string; value: string; line: number }>;

/**
 * As ralphex does (c36bfdc): `key = value` lines, comments on lines of their own, keys below a `[section]` ignored. Of
 * a key set twice the last counts.
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

/** Of ralphex's own files: the first 10 hex digits of the SHA-256, without leading comments. */
const digests: ReadonlySet<string> = new Set(
  `
  01eb88def0 0748cb5fd6 12f350bf52 133730bf6e 18010d8ec5 184deab489 1c46fe75ba 1d3665f26e 1e9a0c15ef
  212328ad19 256c8a4b00 2594c522db 2653ef41a7 2678f95dd4 274f5708d1 2d51135505 2f0896472c 307201981d
  3302b22e68 360f3333b5 36c316e238 3997485079 3a05e88436 41c05add8a 451052439e 45dc7d5053 5212996514
  583e7d1876 586726c138 5b7a4136c3 5d9363e2fd 60a8f9062a 6531d67573 65990cac8a 66c3b0c801 676eaef410
  699532a2b0 6c1c79164f 71bae8cb73 72b6dee9d4 76ea1ece95 771fcce544 7974580b72 7d176a3565 83253f6a52
  8390e0a7f8 83e0da80c6 857ee0bece 8c73b700e2 8e92a5d0df 8ed431aca4 934e78bb72 9451e416ee 95e5e16c55
  985f905a7d 98b29887ea 9a4ab3abc8 a007d218a3 a009b79800 a148921d46 a1f7e8f27a a20b29b13f a2e1e0a823
  a3fcd7b20a a49ea327e6 a59e084c67 ad01c4b159 af1301c00d b571e98530 b64f7e965d be16f7e9e6 c0b4f561c7
  c16e7c4464 c53e630348 c8d555a98e c9a6089bb5 cfd4fb3aa3 d01e767d9b d0c1c2d80f d6241e0f04 d951ae095f
  dfb28ba55e e20a16d018 e2eebd5d9e e38e93c8b3 e76ceca280 ebef3b65b1 ed3f464277 f066d7e7c0 f2f10c8ee5
  f39263e593 f535487566 f9d21227bd
`
    .trim()
    .split(/\s+/),
);

export function isPersons(text: string): boolean {
  return withoutNotes(text) !== '' && !digests.has(digestWords(text));
}

export function digestWords(text: string): string {
  return digestText(withoutNotes(text), 10);
}

/** Without leading comment lines, trimmed; LF only. */
function withoutNotes(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?(?:\n|$))+/, '')
    .trim();
}
