// git's config format as text, read without git.

/** `section.key` or `section.sub.key`, section and key in lower case. */
export type Setting = Readonly<{ key: string; value: string }>;

/** As git reads it (2.39, config.c); undefined if it does not parse. */
export function parseConfig(text: string): readonly Setting[] | undefined {
  const settings: Setting[] = [];
  const source = text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');
  let section = '';
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at, at + 4096);
    const skipped = /^(?:\s+|[#;][^\n]*)/.exec(rest);
    const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/.exec(rest);
    const key = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n|$))/.exec(rest);
    const found = skipped ?? header ?? key;
    if (!found) return undefined;
    at += found[0].length;
    if (skipped) continue;
    if (header) {
      section = sectionOf(header[1] ?? '', header[2]);
      continue;
    }
    const value = found[2] === '=' ? readValue(source, at) : { text: 'true', end: at };
    if (!value || section === '') return undefined;
    at = value.end;
    settings.push({ key: `${section}.${(found[1] ?? '').toLowerCase()}`, value: value.text });
  }
  return settings;
}

/** Settings that run a program, redirect git, or change a commit's content or text; undefined if it does not parse. */
export function guardedSettings(text: string): readonly Setting[] | undefined {
  return parseConfig(text)?.filter(({ key }) => !harmless.some((pattern) => pattern.test(key)));
}

/** Guarded keys whose values differ; `*` if a text does not parse. */
export function changedKeys(before: string, after: string): readonly string[] {
  const [old, now] = [guardedSettings(before), guardedSettings(after)];
  if (!old || !now) return before === after ? [] : ['*'];
  const keys = new Set([...old, ...now].map(({ key }) => key));
  const valuesOf = (settings: readonly Setting[], key: string): string =>
    JSON.stringify(settings.filter((setting) => setting.key === key).map(({ value }) => value));
  return [...keys].filter((key) => valuesOf(old, key) !== valuesOf(now, key)).sort();
}

export function includedFiles(text: string): readonly string[] {
  const settings = parseConfig(text) ?? [];
  return settings.filter(({ key }) => /^include(if\..*)?\.path$/s.test(key)).map(({ value }) => value);
}

/** What ordinary work writes, and runs and redirects nothing. */
const harmless: readonly RegExp[] = [
  /^branch\..*\.(?!pushremote$|mergeoptions$)[^.]*$/s,
  /^remote\..*\.(fetch|tagopt|prune|prunetags)$/s,
  /^submodule\..*\.(active|url)$/s,
  /^lfs\.(repositoryformatversion|.*\.(access|locksverify))$/s,
  /^(color|advice|gui|gitg|column)\./,
];

function sectionOf(name: string, sub: string | undefined): string {
  if (sub === undefined) return name.toLowerCase();
  return `${name.toLowerCase()}.${sub.replace(/\\(.)/gs, '$1')}`;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  b: '\b',
  '\\': '\\',
  '"': '"',
  '\n': '',
};

/** A backslash joins lines, except in a comment. */
function readValue(source: string, start: number): { text: string; end: number } | undefined {
  let text = '';
  let quoted = false;
  let at = start;
  for (; at < source.length && source[at] !== '\n'; at += 1) {
    const char = source[at] ?? '';
    if (char === '"') quoted = !quoted;
    else if (char === '\\') {
      at += 1;
      const escaped = escapes[source[at] ?? ''];
      if (escaped === undefined) return undefined;
      text += escaped;
    } else if (!quoted && (char === '#' || char === ';')) {
      const newline = source.indexOf('\n', at);
      at = newline < 0 ? source.length : newline;
      break;
    } else text += char;
  }
  return quoted ? undefined : { text: text.trim(), end: at };
}
