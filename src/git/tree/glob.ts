// Matches file names against a glob of the user's config: `*`, `?`, `**`, `[…]`, `{a,b}`.

/**
 * True if one of the globs matches the file. A glob without a slash matches the name in any folder; one that ends in a
 * slash, or names a folder, matches everything below it.
 */
export function matchesAny(file: string, globs: readonly string[]): boolean {
  return globs.some((glob) => toPattern(glob).test(file));
}

const patterns = new Map<string, RegExp>();

function toPattern(glob: string): RegExp {
  const known = patterns.get(glob);
  if (known) return known;
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const anywhere = !glob.replace(/\/$/, '').includes('/');
  const made =
    compile(`${anywhere ? '(?:.*/)?' : ''}${translate(trimmed)}`) ?? compile(quote(trimmed)) ?? /$^/;
  patterns.set(glob, made);
  return made;
}

/** Undefined for an invalid class, such as `[z-a]`: the glob is then taken literally. */
function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}(?:/.*)?$`, 'su');
  } catch {
    return undefined;
  }
}

function translate(glob: string): string {
  let pattern = '';
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at);
    const token = /^(?:\*\*\/|\*\*|\[[!^]?\]?[^\]]*\]|\\.|[\s\S])/u.exec(rest)?.[0] ?? '';
    at += token.length - 1;
    if (token === '**/') pattern += '(?:.*/)?';
    else if (token === '**') pattern += '.*';
    else if (token === '*') pattern += '[^/]*';
    else if (token === '?') pattern += '[^/]';
    else if (token === '{' && rest.includes('}')) {
      pattern += '(?:';
      depth += 1;
    } else if (token === '}' && depth > 0) {
      pattern += ')';
      depth -= 1;
    } else if (token === ',' && depth > 0) pattern += '|';
    else if (token.length > 2 && token.startsWith('[')) pattern += toClass(token);
    else pattern += quote(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  }
  return pattern + ')'.repeat(depth);
}

function toClass(token: string): string {
  const negated = /^\[[!^]/.test(token);
  const inside = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^]/g, '\\$&');
  return `[${negated ? '^/' : ''}${inside}]`;
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
