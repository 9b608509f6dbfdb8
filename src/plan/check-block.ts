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

/** `code`: without its comment. `commands`: each begins with its program; what was quoted is `_`. */
type Line = Readonly<{ text: string; code: string; commands: readonly string[] }>;

const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./g;

function readLine(text: string): Line {
  const bare = text.replace(quoted, (part) => '_'.repeat(part.length)).replace(/(?<=^|\s)#.*/, '');
  const commands = bare.replace(/;\s*$/, '').split(/&&|\|\||[|;]/);
  const withoutSettings = (command: string) =>
    command.replace(/^[\s(]+/, '').replace(/^(?:\w+\+?=\S*(?:\s+|$))*/, '');
  return { text, code: text.slice(0, bare.length).trim(), commands: commands.map(withoutSettings) };
}

const structure =
  /^(?:(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|[{}])(?!\S)|\S+\(\))/;
const changing =
  /^(?:$|(?:\.|alias|declare|dirs|enable|eval|exec|exit|export|getopts|hash|let|local|mapfile|popd|pushd|read|readarray|readonly|return|set|shift|shopt|source|trap|typeset|ulimit|umask|unalias|unset|wait)(?!\S))/;

/** Needs no other line, and no other needs it. */
function isWhole(line: Line): boolean {
  const { commands } = line;
  const last = commands.at(-1) ?? '';
  if (isPart(line) || commands.some((command) => command === '' || structure.test(command))) return false;
  if (!changesFolder(line)) return !commands.some((command) => changing.test(command));
  return !isChange(last) && !changing.test(last) && !/(?:^|[\s(&;|])cd +["']?(?:\.\.|-)/.test(line.code);
}

function changesFolder({ commands }: Line): boolean {
  return commands.some(isChange);
}

function isChange(command: string): boolean {
  return /^cd(?!\S)/.test(command);
}

/** An open quote, bracket or here-document, a trailing `\`, `&`. */
function isPart({ code }: Line): boolean {
  const bare = code.replace(quoted, '');
  const opens = /['"\\]|<<(?!<)|(?<![&>])&(?![&>])/.test(bare.replaceAll('<<<', ''));
  return opens || bare.split('`').length % 2 === 0 || !isBalanced(bare);
}

function isBalanced(bare: string): boolean {
  let depth = 0;
  for (const mark of bare.replace(/[^()]/g, '')) {
    depth += mark === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
