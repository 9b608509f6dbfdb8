// Whether a fenced block is separate commands or one script; if in doubt, a script.

/** `isByLine`: each line is a command of its own, and none changes another's folder. */
export type CheckBlock = Readonly<{ command: string; isByLine: boolean }>;

/** If every line is a whole command, one that changes the folder does so in a subshell. */
export function readBlock(text: string): CheckBlock {
  const lines = text.split('\n').map((line) => ({ line, bare: withoutWords(line) }));
  const filled = lines.filter(({ bare }) => bare !== '');
  const isByLine = filled.length > 1 && filled.every(({ bare }) => isWhole(bare));
  if (!isByLine) return { command: text, isByLine };
  const inSubshell = (line: string, bare: string) => `( ${line.slice(0, bare.length).trim()} )`;
  const run = lines.map(({ line, bare }) => (changesFolder(bare) ? inSubshell(line, bare) : line));
  return { command: run.join('\n'), isByLine };
}

/** Without a comment; what is quoted is `_`, so that every place stays. */
function withoutWords(line: string): string {
  return line
    .replace(/'[^']*'|"[^"\\$`]*"/g, (quoted) => '_'.repeat(quoted.length))
    .replace(/(?<=^|\s)#.*/, '')
    .trimEnd();
}

/** Words, redirections, pipes and `&&` alone need no other line. */
const plain = /^(?:[^'"\\`(){}<;&|]|&&|\||[&>]>?&?(?=[\w/])|2>&1)+$/;
const other =
  /^(?:$|(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|\.|alias|declare|dirs|enable|eval|exec|exit|export|getopts|hash|let|local|mapfile|popd|pushd|read|readarray|readonly|return|set|shift|shopt|source|trap|typeset|ulimit|umask|unalias|unset|wait)(?!\S))/;

function commandsOf(bare: string): readonly string[] {
  return bare.split(/&&|\|\|?/).map((command) => command.trim().replace(/^(?:\w+\+?=\S*(?:\s+|$))*/, ''));
}

/** No other line needs it either: what it sets would be gone with a subshell. */
function isWhole(bare: string): boolean {
  const commands = commandsOf(bare);
  if (!plain.test(bare) || commands.some((command) => other.test(command))) return false;
  return !/^cd(?!\S)/.test(commands.at(-1) ?? '') && !/(?:^|[\s&|])cd +(?:\.\.|-|_)/.test(bare);
}

function changesFolder(bare: string): boolean {
  return commandsOf(bare).some((command) => /^cd(?!\S)/.test(command));
}
