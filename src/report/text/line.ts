// One line, and how it is wrapped and coloured.
import { styleText } from 'node:util';
import { defined } from '../../defined.ts';
import { wrapText } from '../../width.ts';

/** A reporter maps it to a colour or to nothing. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'dim' | 'head';

/** Control characters in it have no effect. */
export type Line = Readonly<{
  text: string;
  tone: Tone;
  indent: number;
  /** Continuation lines begin below this column of the text. Default 2. */
  hang?: number;
  /** Never broken, as those that the text shows as commands. */
  commands?: readonly string[];
  /** The same text, in tones of their own; absent: the line's tone. */
  spans?: readonly Span[];
}>;

export type Span = Readonly<{ text: string; tone: Tone }>;

export function line(tone: Tone, text: string, indent = 0): Line {
  return { text, tone, indent };
}

/** A bare text is plain. `tone`: for whoever shows one tone. */
export function spanned(tone: Tone, parts: readonly (string | Span)[], indent = 0): Line {
  const spans = parts.map((part) => (typeof part === 'string' ? span('plain', part) : part));
  return { ...line(tone, spans.map(({ text }) => text).join(''), indent), spans };
}

export function span(tone: Tone, text: string): Span {
  return { text, tone };
}

export const emptyLine: Line = { text: '', tone: 'plain', indent: 0 };

/** The prefix of a task's line if it is not the only one in work. */
export function speakerOf(task: string): string {
  return `${task} ▸ `;
}

export function prefixLine(of: Line, prefix: string): Line {
  const spans = [span('dim', prefix), ...(of.spans ?? [span(of.tone, of.text)])];
  return { ...of, text: prefix + of.text, spans };
}

export function labelled(tone: Tone, label: string, text: string): Line {
  return { ...line(tone, `${label.padEnd(labelWidth)}${text}`, 1), hang: labelWidth };
}

/** In columns. */
export const labelWidth = 9;

export function renderLine({ text, indent }: Line): string {
  return '  '.repeat(indent) + cleanText(text);
}

/** As lines of at most `columns`, wrapped at blanks. */
export function wrapLine(line: Line, columns: number): readonly Line[] {
  const width = columns - line.indent * 2;
  if (width < fewestColumns) return [line];
  const { hang = 2, commands = [], spans } = line;
  const text = cleanText(line.text);
  const rows = wrapText(text, width, { hang, commands: [...commands.map(cleanText), ...findCommands(text)] });
  const divided = spans && divideSpans(spans, rows);
  return rows.map((text, at) => ({ ...line, text, ...defined({ spans: divided?.[at] }) }));
}

/** Between backticks, or what a line ends with. */
function findCommands(text: string): readonly string[] {
  return [...text.matchAll(quoted), ...text.matchAll(ending)].map(([, command = '']) => command);
}

const quoted = /`([^`]+)`/g;
const ending =
  /: ((?:git (?:-C|diff|log|merge|revert|switch)|pawl (?:answer|continue|fleet|logs|report|rescue|retry|review|run|set|steer|undo)) .*)$/g;

/** Blanks at a break are gone, and hanging blanks have come. */
function divideSpans(spans: readonly Span[], rows: readonly string[]): readonly (readonly Span[])[] {
  const source = spans.flatMap(({ text, tone }) => [...cleanText(text)].map((sign) => ({ sign, tone })));
  let at = 0;
  return rows.map((row) => {
    const parts: Span[] = [];
    for (const sign of row) {
      while (sign !== ' ' && source[at]?.sign === ' ') at += 1;
      const isNext = source[at]?.sign === sign;
      const tone = source[Math.min(at, source.length - 1)]?.tone ?? 'plain';
      if (isNext) at += 1;
      const last = parts.at(-1);
      if (last?.tone === tone) parts[parts.length - 1] = span(tone, last.text + sign);
      else parts.push(span(tone, sign));
    }
    return parts;
  });
}

/** Below that, text cut by the terminal is easier to read. */
const fewestColumns = 24;

export type LineLook = Readonly<{ colour: boolean }>;

/** `prefix` is dim. */
export function paintLine(line: Line, look: LineLook, prefix = ''): string {
  const spans = line.spans ?? [span(line.tone, line.text)];
  const parts = spans.map(({ tone, text }) => paint(tone, cleanText(text), look));
  return `${paint('dim', prefix, look)}${'  '.repeat(line.indent)}${parts.join('')}\n`;
}

function paint(tone: Tone, text: string, { colour }: LineLook): string {
  const format = styles[tone];
  return colour && format && text.trim() !== '' ? styleText(format, text, { validateStream: false }) : text;
}

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0] | undefined>> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  head: 'bold',
};

/** Without control characters, escape sequences or characters that reorder it: an agent may say anything. */
export function cleanText(text: string): string {
  if (!unclean.test(text)) return text;
  return text
    .replaceAll(escapeSequence, '')
    .replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
    .replaceAll('\t', '  ')
    .replaceAll(uncleanEach, '');
}

export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(cleanText)
    .join('\n');
}

// C0, DEL, C1, line and paragraph separators, bidirectional marks, embeddings, overrides and isolates, byte order mark.
const unclean = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
const uncleanEach = new RegExp(unclean.source, 'g');

// CSI, then OSC/DCS/APC/PM/SOS up to their end, then any other two-character sequence.
const escapeSequence =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
