// Parses commands out of markdown: a code span with the words after it, or a fenced shell block.
import type { Code, InlineCode, Paragraph, PhrasingContent } from 'mdast';
import { defined } from '../defined.ts';
import { readBlock } from './check-block.ts';
import type { Check, PlanNote } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

/** Not numbered yet; `notes` name the parts that do not count. */
export type PlanCommand = Readonly<{
  command: string;
  name?: string;
  atEnd: boolean;
  knownRed: boolean;
  /** What the words after it claim beyond exit code 0. */
  claim: string;
  offset: number;
  notes: readonly PlanNote[];
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
  const offset = span.position?.start.offset ?? 0;
  const after = source.text.slice(span.position?.end.offset, paragraph.position?.end.offset);
  const command = span.value.replace(/\r\n|\n|\r/g, ' ').trim();
  const claim = claimOf(after);
  return {
    ...readSuffix(after),
    command,
    claim,
    offset,
    notes: [...wordNotes(command, after, { offset, source }), ...emptyNotes(command, offset, source)],
  };
}

/** Undefined if it is not shell text. */
export function commandOfFence(code: Code, source: Source): PlanCommand | undefined {
  const offset = code.position?.start.offset ?? 0;
  const isFenced = /^[ \t]*(?:`{3}|~{3})/.test(source.text.slice(offset, code.position?.end.offset));
  // Of ```(at end) markdown takes the first word for a language.
  const words = `${code.lang ?? ''} ${code.meta ?? ''}`.trim();
  const language = words.replace(suffix, '').trim().split(/\s/)[0]?.toLowerCase();
  if (!isFenced || (language && !shells.has(language))) return undefined;
  const { command } = readBlock(code.value.replace(/\r\n?/g, '\n').trimEnd());
  return { ...readSuffix(words), command, claim: '', offset, notes: emptyNotes(command, offset, source) };
}

/** From `<prefix>:1` on; items without a command are left out. */
export function checksOf(
  commands: readonly PlanCommand[],
  scope: 'plan' | 'task',
  prefix: string,
  source: Source,
): Check[] {
  const full = commands.filter(({ command }) => !isEmpty(command));
  return full.map(({ command, name, atEnd, knownRed, offset }, index) => {
    const id = `${prefix}:${index + 1}`;
    return { id, scope, command, ...defined({ name }), atEnd, knownRed, place: source.placeAt(offset) };
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

/** A search exits 1 if it finds nothing; in a pipeline, the last program. Quoted words are removed before. */
const search = /(?:^|\|)\s*(?:(?:git\s+)?grep|egrep|fgrep|rg)(?=\s)(?!.*(?:[|;&]|\s-\w*L))/;
const quoted = /'[^']*'|"[^"]*"/g;
const findsNothing =
  /\b(?:nothing|empty|(?:no|zero|0)\s+(?:\w+\s+)?(?:match(?:es)?|output|results?|hits?|lines?|occurrences?|references?))\b/i;

function wordNotes(
  command: string,
  after: string,
  { offset, source }: Readonly<{ offset: number; source: Source }>,
): PlanNote[] {
  const rule = 'check-words';
  const words = after.replace(/\s+/g, ' ').trim();
  if (!command.startsWith('!') && search.test(command.replace(quoted, '')) && findsNothing.test(words)) {
    const message = `\`${command}\` fails where it finds nothing, which "${words}" asks for: write \`! ${command}\``;
    return [noteAt(source, offset, { rule, severity: 'error', message })];
  }
  const claim = claimOf(after);
  if (claim === '') return [];
  const message = `only exit code 0 of \`${command}\` counts; "${claim}" is not checked: make it part of the command, a line of its own, or a comment behind " - "`;
  return [noteAt(source, offset, { rule, severity: 'warning', message })];
}

function isEmpty(command: string): boolean {
  return command.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}

function emptyNotes(command: string, offset: number, source: Source): PlanNote[] {
  if (!isEmpty(command)) return [];
  const message = 'this check has no command: write one between the backticks';
  return [noteAt(source, offset, { rule: 'empty-check', severity: 'error', message })];
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

export function readsAsCommand(line: string): boolean {
  return looksLikeCommand(line) && !sentence.test(line);
}
