// Whether two texts are the same code but for comments, layout and types; what it does not understand is different.
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

export function isSameCode(file: string, one: string, other: string): boolean {
  return one === other || codeOf(file, one) === codeOf(file, other);
}

/** False only if it surely does not parse. */
export function mayParse(file: string, text: string): boolean {
  return !isScript(file) || hasJsx(file) || strip(text) !== undefined;
}

/** Begins a comment; undefined where pawl does not know. */
export function commentMark(file: string): string | undefined {
  if (hashes.test(file)) return '# ';
  return slashes.test(file) ? '// ' : undefined;
}

const hashes = /\.(?:py|rb|sh|pl|exs?|r|R)$/;
const slashes = /\.(?:[cm]?[jt]s|go|rs|java|kts?|swift|scala|cs|c|cc|cpp|h|hpp|php|dart)$/;
const isScript = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
const hasJsx = (file: string): boolean => /x$/.test(path.extname(file));

function codeOf(file: string, text: string): string {
  if (hashes.test(file)) return squeezeLines(text);
  if (!isScript(file)) return slashes.test(file) ? squeeze(text) : text.replaceAll(/\s+/g, ' ').trim();
  return squeeze((hasJsx(file) ? undefined : strip(text)) ?? text);
}

function strip(text: string): string | undefined {
  try {
    return stripTypeScriptTypes(text.replace(/^#!.*/, ''), { mode: 'transform' });
  } catch {
    return undefined;
  }
}

function squeeze(text: string): string {
  const parts = text.matchAll(
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<![:\\])\/\/.*|\/\*[\s\S]*?\*\/|\s+|[^"'`/\s]+|[\s\S]/g,
  );
  const code = [...parts].map(([part]) => (/^(?:\/\/|\/\*|\s)/.test(part) ? '' : part));
  return code.join('').replaceAll(/;|,(?=[)\]}])/g, '');
}

/** Where indentation counts; docstrings go too. */
function squeezeLines(text: string): string {
  const docstring = /^[ \t]*[rRuU]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')[ \t]*(?:#.*)?$/gm;
  const parts = text
    .replaceAll(docstring, '')
    .matchAll(/"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[^"'#]+|[\s\S]/g);
  const code = [...parts].map(([part]) => (part.startsWith('#') ? '' : part)).join('');
  return code
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
