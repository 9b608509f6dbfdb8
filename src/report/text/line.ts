// What a reporter prints: one line with its tone and depth. It knows no colour, no terminal and no event.

/** How a line is meant; a reporter maps it to a colour or to nothing. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'dim' | 'head';

/** One line of text without control characters that matter. */
export type Line = Readonly<{
  text: string;
  tone: Tone;
  /** Levels of two blanks. */
  indent: number;
  /** Prose that a terminal may break at blanks: what follows begins below this column of the text. Absent: never broken. */
  hang?: number;
}>;

/** Makes a line. */
export function line(tone: Tone, text: string, indent = 0): Line {
  return { text, tone, indent };
}

/** A row of a header: a label, and prose that may be broken beside it. */
export function labelled(tone: Tone, label: string, text: string): Line {
  return { ...line(tone, `${label.padEnd(labelWidth)}${text}`, 1), hang: labelWidth };
}

/** Columns of the label of a header's row. */
export const labelWidth = 9;

/** The text of a line with its indent, safe for any terminal. */
export function renderLine({ text, indent }: Line): string {
  return '  '.repeat(indent) + cleanText(text);
}

/** Text on one line without control characters, escape sequences or characters that reorder it: an agent may say anything. */
export function cleanText(text: string): string {
  if (!unclean.test(text)) return text;
  return text
    .replaceAll(escapeSequence, '')
    .replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
    .replaceAll('\t', '  ')
    .replaceAll(uncleanEach, '');
}

// C0, DEL, C1, line and paragraph separators, bidirectional marks, embeddings, overrides and isolates, byte order mark.
const unclean = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
const uncleanEach = new RegExp(unclean.source, 'g');

// CSI, then OSC/DCS/APC/PM/SOS up to their end, then any other two-character sequence.
const escapeSequence =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
