// Reads the text of a ralphex `config` as ralphex does (c36bfdc): `key = value` lines, comments on lines of their own, keys
// below a `[section]` unread. Pure.

/** One line that sets something; lines count from 1. */
export type RalphexLine = Readonly<{ key: string; value: string; line: number }>;

/** The settings of a text. Where a key is set twice the last one holds. */
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
