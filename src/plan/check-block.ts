// Whether a fenced block is separate commands or one script; if in doubt, a script.

/** `isByLine`: each line is a command of its own, and none changes another's folder. */
export type CheckBlock = Readonly<{ command: string; isByLine: boolean }>;

/** If every line is a whole command, one that changes the folder does so in a subshell. */
export function readBlock(text: string): CheckBlock {
  const lines = text.split('\n').map(readLine);
  const filled = lines.filter(({ code }) => code !== '');
  const isByLine = filled.length > 1 && filled.every(isWhole);
  if (!isByLine) return { command: text, isByLine };
  const command = lines.map((line) => (changesFolder(line) ? `( ${line.code} )` : line.text)).join('\n');
  return { command, isByLine };
}

/** `code`: without its comment. `commands`: words without leading assignments. */
type Line = Readonly<{
  text: string;
  code: string;
  commands: readonly (readonly string[])[];
  isPart: boolean;
}>;

const structure = wordSet(
  'if then elif else fi for while until do done case esac select function coproc { }',
);
const changing = wordSet(
  '. alias declare dirs enable eval exec exit export getopts hash let local mapfile popd pushd read readarray ' +
    'readonly return set shift shopt source trap typeset ulimit umask unalias unset wait',
);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Needs no other line, and no other needs it. */
function isWhole(line: Line): boolean {
  const isChange = ([first]: readonly string[]): boolean => first === undefined || changing.has(first);
  const { commands } = line;
  if (line.isPart || commands.some(([first = '']) => structure.has(first) || first.endsWith('()')))
    return false;
  const last = commands.at(-1) ?? [];
  if (!changesFolder(line)) return !commands.some(isChange);
  return last[0] !== 'cd' && !isChange(last) && !leadsUp(line);
}

function changesFolder({ commands }: Line): boolean {
  return commands.some(([first]) => first === 'cd');
}

function leadsUp({ commands }: Line): boolean {
  const target = commands.find(([first]) => first === 'cd')?.[1] ?? '';
  return /^["']?(?:\.\.|-$|\$OLDPWD)/.test(target);
}

const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./g;
const tokens = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)#.*)`,
    String.raw`(?<sign>&&|\|\||[|;])`,
    String.raw`(?<word>(?:${quoted.source}|\d*[<>]+&?\d*|&>>?|[^\s|;&'"\\])+)`,
    // An unclosed quote, a trailing `\`, `&`.
    String.raw`(?<part>\S)`,
  ].join('|'),
  'g',
);

function readLine(text: string): Line {
  const commands: string[][] = [[]];
  let code = text;
  let sign = '';
  let isPart = false;
  for (const { groups = {}, index } of text.matchAll(tokens)) {
    if (groups['comment'] !== undefined) code = text.slice(0, index);
    if (groups['part'] !== undefined) isPart = true;
    if (groups['word'] !== undefined) commands.at(-1)?.push(groups['word']);
    if (groups['sign'] === undefined) continue;
    sign = groups['sign'];
    isPart ||= commands.at(-1)?.length === 0;
    commands.push([]);
  }
  if (commands.at(-1)?.length === 0) {
    commands.pop();
    isPart ||= sign !== '' && sign !== ';';
  }
  const bare = code.replace(quoted, '');
  return {
    text,
    code: code.trim(),
    commands: commands.map(withoutSettings),
    isPart: isPart || !isBalanced(bare) || bare.replaceAll('<<<', '').includes('<<'),
  };
}

function withoutSettings(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^\w+\+?=/.test(word));
  return first < 0 ? [] : [(words[first] ?? '').replace(/^\(+(?=.)/, ''), ...words.slice(first + 1)];
}

function isBalanced(bare: string): boolean {
  let depth = 0;
  for (const mark of bare.replace(/[^()]/g, '')) {
    depth += mark === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0 && bare.split('`').length % 2 === 1;
}
