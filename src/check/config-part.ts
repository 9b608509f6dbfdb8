// Cuts the part of a configuration file that belongs to one program.

/** A `[section]` of an INI or TOML file and its subsections, up to the next other one. */
export function sectionOf(text: string, section: string): string | undefined {
  const lines = text.split(/\r?\n/);
  let isInside = false;
  const kept = lines.filter((line) => {
    const header = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1]?.trim();
    if (header !== undefined) isInside = header === section || belowOf(section).test(header);
    return isInside;
  });
  return kept.length === 0 ? undefined : kept.join('\n').trimEnd();
}

/** The text of `key: {…}` in a script, by its braces. */
export function blockOf(text: string, key: string): string | undefined {
  const start = new RegExp(`(?:^|[{,\\s])${key}\\s*:\\s*\\{`).exec(text);
  if (!start) return undefined;
  const open = start.index + start[0].length - 1;
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text.charAt(at) === '{') depth += 1;
    if (text.charAt(at) === '}') depth -= 1;
    if (depth === 0) return text.slice(start.index, at + 1);
  }
  return text.slice(start.index);
}

/** `tool.coverage.run` in TOML, `coverage:run` in INI. */
function belowOf(section: string): RegExp {
  return new RegExp(`^${section.replaceAll('.', '\\.')}[.:]`);
}
