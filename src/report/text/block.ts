// The receipt as data, and its two forms: Markdown and terminal lines.
import { cleanText, emptyLine, type Line, line, type Tone } from './line.ts';

export type Piece = string | Readonly<{ code: string }>;

export type Block = Readonly<{
  kind: 'lead' | 'section' | 'item';
  tone: Tone;
  pieces: readonly Piece[];
}>;

/** `lead`: a paragraph at the top. `item`: of a list. */
export function block(kind: Block['kind'], tone: Tone, ...pieces: readonly Piece[]): Block {
  return { kind, tone, pieces };
}

export function plain(...pieces: readonly Piece[]): Block {
  return block('item', 'plain', ...pieces);
}

export function warn(...pieces: readonly Piece[]): Block {
  return block('item', 'warn', ...pieces);
}

export function code(text: string): Piece {
  return { code: text };
}

/** Parts between backticks as text to copy; a full stop behind the last would be copied with it. */
export function piecesOf(text: string): readonly Piece[] {
  const parts = text.replace(/`\.$/, '`').split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : part));
}

/** What agents and files say is shown, never interpreted. */
export function toMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map((each, index) => markdownOf(each, index === 0)).join('\n')}\n`;
}

function markdownOf({ kind, tone, pieces }: Block, isFirst: boolean): string {
  const text = pieces
    .map((piece) => (typeof piece === 'string' ? escapeText(piece) : codeSpan(piece.code)))
    .join('');
  const gap = isFirst ? '' : '\n';
  switch (kind) {
    case 'lead':
      return `${gap}${tone === 'plain' || tone === 'dim' ? text : `**${text}**`}`;
    case 'section':
      return `${gap}## ${text}\n`;
    case 'item':
      return `- ${text}`;
  }
}

export function toLines(blocks: readonly Block[]): readonly Line[] {
  return blocks.flatMap(({ kind, tone, pieces }) => {
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.code)).join('');
    const commands = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.code]));
    const made = { ...line(tone, text, indents[kind]), commands };
    return kind === 'section' ? [emptyLine, made] : [made];
  });
}

const indents = { lead: 0, section: 0, item: 1 } as const;

/**
 * Escapes what Markdown gives a meaning, which an underscore inside a word has not. A name after `@` becomes code, so
 * that a pull request notifies nobody.
 */
function escapeText(text: string): string {
  return cleanText(text)
    .split(/(@[\w/-]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `\`${part}\`` : part.replaceAll(/[\\`*<>[\]|~]|(?<![a-z\d])_|_(?![a-z\d])/gi, '\\$&'),
    )
    .join('');
}

function codeSpan(text: string): string {
  const clean = cleanText(text);
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || clean === '' ? `${fence} ${clean} ${fence}` : `${fence}${clean}${fence}`;
}
