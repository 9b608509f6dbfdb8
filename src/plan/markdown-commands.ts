// Parses commands out of markdown: a code span with the words after it, a fenced shell block, a plan's checks sections.
import type { Code, InlineCode, ListItem, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { defined } from '../defined.ts';
import type { Check } from './plan.ts';
import { type Source, startOf, writtenIn } from './text-position.ts';

/** Not numbered yet. */
export type PlanCommand = Pick<Check, 'command' | 'name' | 'atEnd' | 'knownRed'> &
  Readonly<{
    /** What the words after it claim beyond exit code 0. */
    claim: string;
    offset: number;
  }>;

const shells = new Set(['sh', 'bash', 'shell', 'zsh']);
const suffix = /\(\s*(at end|known red)\s*\)/gi;
const meansGreen =
  /^(?:(?:must|should|to)\s+)?(?:(?:exits?|returns?)\s+(?:with\s+)?(?:an?\s+)?(?:exit\s+)?(?:code\s+|status\s+)?(?:of\s+)?(?:0|zero)|exit\s+code\s+(?:is\s+)?(?:0|zero)|pass(?:es)?|succeeds?|(?:is|are)\s+green)(?![\p{L}\p{N}])/iu;

export function spanAt(paragraph: Paragraph, offset: number): InlineCode | undefined {
  const isThere = (child: PhrasingContent): child is InlineCode =>
    child.type === 'inlineCode' && child.position?.start.offset === offset;
  return paragraph.children.find(isThere);
}

export function readCheckName(text: string): Readonly<{ name: string; length: number }> | undefined {
  const [whole = '', name] = /^check ([a-z0-9][\w.-]{0,23}):[ \t]*(?=`)/i.exec(text) ?? [];
  return name === undefined ? undefined : { name, length: whole.length };
}

export function commandOfSpan(span: InlineCode, paragraph: Paragraph, source: Source): PlanCommand {
  const offset = startOf(span);
  const after = source.text.slice(span.position?.end.offset, paragraph.position?.end.offset);
  const command = span.value.replace(/\r\n|\n|\r/g, ' ').trim();
  const claim = claimOf(after);
  if (claim !== '') {
    const message = `only exit code 0 of \`${command}\` counts; "${claim}" is not checked: make it part of the command, a line of its own, or a comment behind " - "`;
    source.note(offset, { rule: 'check-words', severity: 'warning', message });
  }
  noteEmpty(command, offset, source);
  return { ...readSuffix(after), command, claim, offset };
}

/** Undefined if it is not shell text. */
export function commandOfFence(code: Code, source: Source): PlanCommand | undefined {
  const offset = startOf(code);
  const isFenced = /^[ \t]*(?:`{3}|~{3})/.test(writtenIn(code, source));
  // Of ```(at end) markdown takes the first word for a language.
  const words = `${code.lang ?? ''} ${code.meta ?? ''}`.trim();
  const language = words.replace(suffix, '').trim().split(/\s/)[0]?.toLowerCase();
  if (!isFenced || (language && !shells.has(language))) return undefined;
  const command = readBlock(code.value.replace(/\r\n?/g, '\n').trimEnd());
  noteEmpty(command, offset, source);
  return { ...readSuffix(words), command, claim: '', offset };
}

/** From `<prefix>:1` on; items without a command are left out. */
export function checksOf(
  commands: readonly PlanCommand[],
  { prefix, ...where }: Pick<Check, 'scope' | 'cwd'> & Readonly<{ prefix: string }>,
  source: Source,
): Check[] {
  const full = commands.filter(({ command }) => !isEmpty(command));
  return full.map(({ claim, offset, ...check }, index) => {
    return { ...check, ...where, id: `${prefix}:${index + 1}`, place: source.placeAt(offset) };
  });
}

function readSuffix(words: string): { atEnd: boolean; knownRed: boolean } {
  const found = [...words.matchAll(suffix)].map((match) => match[1]?.toLowerCase());
  return { atEnd: found.includes('at end'), knownRed: found.includes('known red') };
}

/** A comment after a dash, colon, bracket, arrow or `#` claims nothing. */
function claimOf(after: string): string {
  const words = after.replace(suffix, ' ').replace(/\s+/g, ' ').trim();
  const rest = words.replace(meansGreen, '').replace(/^[\s.;!*_]+/, '');
  return /^(?:[-–—:(#/]|→|=>|$)/.test(rest) ? '' : rest;
}

function isEmpty(command: string): boolean {
  return command.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}

function noteEmpty(command: string, offset: number, source: Source): void {
  const message = 'this check has no command: write one between the backticks';
  if (isEmpty(command)) source.note(offset, { rule: 'empty-check', severity: 'error', message });
}

export function isFileName(text: string): boolean {
  const ending = /^[\w@+~,%*()[\]/.-]*[\w*)\]]\.([A-Za-z]\w{0,9})(?::\d+(?:-\d+)?)?$/.exec(text.trim())?.[1];
  return ending !== undefined && !/^\.\.?\//.test(text.trim()) && !scripts.has(ending.toLowerCase());
}

const scripts = new Set(['bash', 'bat', 'cmd', 'exe', 'fish', 'php', 'pl', 'ps1', 'py', 'rb', 'sh', 'zsh']);

const programs =
  'npm|npx|pnpm|yarn|bun|bunx|deno|node|tsc|vitest|jest|eslint|biome|make|just|cargo|go|pytest|python3?|uv|poetry|tox|' +
  'ruff|mypy|pyright|mvn|gradle|bundle|rspec|rake|rails|composer|phpunit|php|dotnet|swift|mix|cmake|ctest|bazel|terraform|bash|sh';
const commandLine = new RegExp(
  `^(?:[A-Z_]+=\\S+ )*(?:(?:${programs}) \\S|(?:\\./|bin/|scripts?/)\\S|(?:make|pytest|tsc|vitest|jest|tox|mypy|phpunit)$)`,
);

export function looksLikeCommand(text: string): boolean {
  return commandLine.test(text);
}

/** Programs that, followed by plain words, begin a sentence. */
const sentence = /\w[.!?:]$|^(?:go|just|make|mix|node) [a-z]+(?: [a-z]+)+$/;

function readsAsCommand(line: string): boolean {
  return looksLikeCommand(line) && !sentence.test(line);
}

export function readPlanChecks(
  blocks: readonly RootContent[],
  cwd: string,
  source: Source,
): readonly Check[] {
  const found = blocks.flatMap((block) => checksInBlock(block, source));
  for (const one of found) if ('what' in one) noteNoCommand(one, source);
  const commands = found.filter((one) => 'command' in one);
  return checksOf(commands, { scope: 'plan', prefix: 'plan', cwd }, source);
}

/** What stands in a checks section and is no check. */
type NoCommand = Readonly<{ node: Nodes; what: string }>;

function checksInBlock(node: Nodes, source: Source): (PlanCommand | NoCommand)[] {
  switch (node.type) {
    case 'list': {
      const found = node.children.flatMap((item) => checksInItem(item, source));
      // One note stands for all of its list.
      const first = found.find((one) => 'what' in one);
      return found.filter((one) => 'command' in one || one === first);
    }
    case 'code':
      return [commandOfFence(node, source) ?? { node, what: 'a code block that is not shell text' }];
    case 'heading':
    case 'html':
    case 'thematicBreak':
    case 'definition':
      return [];
    default:
      return [{ node, what: 'text' }];
  }
}

function checksInItem(item: ListItem, source: Source): (PlanCommand | NoCommand)[] {
  const [first, ...rest] = item.children;
  const below = rest.flatMap((block) => checksInBlock(block, source));
  if (first === undefined) return [];
  if (first.type !== 'paragraph') return [...checksInBlock(first, source), ...below];
  const start = startOf(first.children[0]);
  const text = source.text.slice(start, first.position?.end.offset);
  const { name, length = 0 } = readCheckName(text) ?? {};
  const span = spanAt(first, start + length + text.length - text.trimStart().length);
  if (span) return [{ ...commandOfSpan(span, first, source), ...defined({ name }) }, ...below];
  // A label above commands needs no remark.
  if (below.some((one) => 'command' in one)) return below;
  return [{ node: first, what: 'a line that does not begin with a command in backticks' }, ...below];
}

function noteNoCommand({ node, what }: NoCommand, source: Source): void {
  const offset = startOf(node);
  const [line = ''] = source.text
    .slice(offset, node.position?.end.offset)
    .trim()
    .split(/[\n\r]/);
  const message = readsAsCommand(line)
    ? `\`${line}\` is not written as a command, so it is not a check: put it in backticks, as "- \`${line}\`", or in a fenced \`sh\` block`
    : `${what} in the checks section is not a check: write "- \`command\`" or a fenced \`sh\` block, or move it elsewhere`;
  source.note(offset, { rule: 'no-command', severity: 'warning', message });
}

/** If every line is a whole command, one that changes the folder does so in a subshell. */
export function readBlock(text: string): string {
  const lines = text.split('\n').map((line) => ({ line, bare: withoutWords(line) }));
  const filled = lines.filter(({ bare }) => bare !== '');
  if (filled.length < 2 || !filled.every(({ bare }) => isWhole(bare))) return text;
  const inSubshell = (line: string, bare: string) => `( ${line.slice(0, bare.length).trim()} )`;
  return lines.map(({ line, bare }) => (changesFolder(bare) ? inSubshell(line, bare) : line)).join('\n');
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
