// Whether two lists of globs (git/tree/glob.ts) can match the same file, existing or not; if in doubt, they do.

type Segment = typeof folders | readonly Token[];
/** `*`, `?` for one unknown character, or `=` and the character itself. */
type Token = string;

const folders = '**';

/** One glob of each list; undefined if no file matches both. */
export function findOverlap(
  some: readonly string[],
  others: readonly string[],
): readonly [string, string] | undefined {
  for (const one of some)
    for (const other of others) if (canMeanSame(one, other)) return [one, other] as const;
  return undefined;
}

function canMeanSame(one: string, other: string): boolean {
  const [some, others] = [readGlob(one), readGlob(other)];
  // A bare name would match below any folder, so there a name with an extension is not taken for one.
  const below = some.isBare || others.isBare ? 'belowFolder' : 'below';
  return some[below].some((path) => others[below].some((against) => meet(path, against, segmentRules)));
}

type Rules<Unit> = Readonly<{
  isStar: (unit: Unit) => boolean;
  areSame: (one: Unit, other: Unit) => boolean;
}>;

function meet<Unit>(one: readonly Unit[], other: readonly Unit[], rules: Rules<Unit>): boolean {
  let below: boolean[] = [];
  for (let i = one.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j -= 1) {
      const [a, b] = [one[i], other[j]];
      if (a === undefined && b === undefined) row[j] = true;
      else if (a !== undefined && rules.isStar(a)) row[j] = below[j] === true || row[j + 1] === true;
      else if (b !== undefined && rules.isStar(b)) row[j] = row[j + 1] === true || below[j] === true;
      else row[j] = a !== undefined && b !== undefined && below[j + 1] === true && rules.areSame(a, b);
    }
    below = row;
  }
  return below[0] === true;
}

const tokenRules: Rules<Token> = {
  isStar: (token) => token === '*',
  areSame: (one, other) => one === other || one === '?' || other === '?',
};

const segmentRules: Rules<Segment> = {
  isStar: (segment) => segment === folders,
  areSame: (one, other) => one !== folders && other !== folders && meet(one, other, tokenRules),
};

type Path = readonly Segment[];

/** With everything below them: always, or only if they look like a folder. */
type Globbed = Readonly<{ isBare: boolean; below: readonly Path[]; belowFolder: readonly Path[] }>;

const known = new Map<string, Globbed>();

/** Without a slash, it matches in any folder. */
function readGlob(glob: string): Globbed {
  const before = known.get(glob);
  if (before) return before;
  // Lines of a file mean the file; on some disks case makes no difference.
  const plain = glob.replace(/:\d+(?:-\d+)?$/, '').toLowerCase();
  const isBare = !plain.replace(/\/$/, '').includes('/');
  const isFile = /[^/.]\.[^/.]+$/.test(plain);
  const paths = expandBraces(plain.replace(/^\.?\//, '').replace(/\/$/, '')).map((path): Path => {
    const segments = path.split('/').map(readSegment);
    return isBare ? [folders, ...segments] : segments;
  });
  const below = paths.map((path) => [...path, folders] as const);
  const globbed = { isBare, below, belowFolder: isFile ? paths : below };
  known.set(glob, globbed);
  return globbed;
}

const mostAlternatives = 200;

function expandBraces(glob: string): readonly string[] {
  let paths = [glob];
  while (paths.some((path) => braces.test(path))) {
    paths = paths.flatMap((path) => {
      const [whole = '', inside = ''] = braces.exec(path) ?? [];
      return whole === '' ? [path] : inside.split(',').map((part) => path.replace(whole, () => part));
    });
    if (paths.length > mostAlternatives) return [folders];
  }
  return paths;
}

const braces = /\{([^{}]*)\}/;

function readSegment(segment: string): Segment {
  if (segment.includes(folders)) return folders;
  const tokens = segment.match(/\[[!^]?\]?[^\]]*\]|\\.|[\s\S]/gu) ?? [];
  return tokens.map((token) => {
    if (token === '*' || token === '?') return token;
    if (token.length > 1 && token.startsWith('[')) return '?';
    return `=${token.length > 1 && token.startsWith('\\') ? token.slice(1) : token}`;
  });
}
