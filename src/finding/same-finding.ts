// Whether two findings are the same: models word one anew each time, and lines move.
import { digestText } from '../digest.ts';
import type { Finding } from '../event/finding.ts';

/** `anchor`: the line it points at, trimmed; empty for a whole file or a missing line. */
export type Placed = Pick<Finding, 'file' | 'line' | 'title'> & Readonly<{ anchor: string }>;

/** Farther apart, in lines, on other code, they are different. */
const near = 12;
/** Share of the shorter title's words that both must have, at one place. */
const alikeHere = 0.5;
/** The same elsewhere in the file, whose code may have moved. */
const alikeAnywhere = 0.8;

export function isSame(a: Placed, b: Placed): boolean {
  return alikeness(a, b) >= (isOnePlace(a, b) ? alikeHere : alikeAnywhere);
}

/** In nearly the same words, wherever in the file. */
export function isRepeated(a: Placed, b: Placed): boolean {
  return alikeness(a, b) >= alikeAnywhere;
}

export function anchorOf({ line }: Pick<Finding, 'line'>, text: string | undefined): string {
  if (text === undefined || line === 0) return '';
  return (text.split('\n')[line - 1] ?? '').trim();
}

/** Unaffected by moved lines and other spellings: a partial fingerprint in SARIF. Hexadecimal, 16 characters. */
export function fingerprintOf({ file, title, anchor }: Placed): string {
  const words = [...wordsOf(title)].sort().join(' ');
  const key = [normalPath(file), words, anchor.replaceAll(/\s+/g, ' ')].join('\n');
  return digestText(key, 16);
}

function isOnePlace(a: Placed, b: Placed): boolean {
  if (a.anchor !== '' && a.anchor === b.anchor) return true;
  return a.line === 0 || b.line === 0 || Math.abs(a.line - b.line) <= near;
}

function normalPath(file: string): string {
  return file.replace(/^(?:\.\/)+/, '');
}

function alikeness(a: Placed, b: Placed): number {
  if (normalPath(a.file) !== normalPath(b.file)) return 0;
  const [one, other] = [wordsOf(a.title), wordsOf(b.title)];
  const both = [...one].filter((word) => other.has(word));
  return both.length / (Math.min(one.size, other.size) || 1);
}

const empty = new Set(
  'a an and are as at be by can could does for from has if in is it its may no not of on or so that the then there this to was when will with without'.split(
    ' ',
  ),
);

function wordsOf(title: string): ReadonlySet<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const carrying = words.filter((word) => !empty.has(word)).map(stem);
  return new Set(carrying.length > 0 ? carrying : words);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word;
}
