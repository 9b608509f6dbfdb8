// Where plans are stored, what they are called, and the branch that is named after one (git-check-ref-format 2.39).
import path from 'node:path';
import { nearest } from '../nearest.ts';

export const plansFolder = 'docs/plans';

/** Beside a plan: where it is moved once it is done. */
export const archiveFolder = 'completed';

/** `file` is relative to the root. A README is none; completed plans are deeper. */
export function isPlanFile(file: string): boolean {
  const { dir, base, ext } = path.posix.parse(file);
  return dir === plansFolder && ext === '.md' && base !== 'README.md';
}

export function stemOf(file: string): string {
  return path
    .basename(file)
    .replace(/\.(?:md|markdown)$/i, '')
    .toLowerCase();
}

export function wholeNames(file: string): readonly string[] {
  const stem = stemOf(file);
  return [stem, withoutDate(stem), nameOfPlan(file).toLowerCase()];
}

export function nearestPlan(word: string, files: readonly string[]): string | undefined {
  const meant = nearest(stemOf(word), files.flatMap(wholeNames));
  return meant === undefined ? undefined : files.find((file) => wholeNames(file).includes(meant));
}

/** Of a title, in characters. */
const mostLetters = 60;

/** Letters and digits of any script, lower case, without accents of Latin letters; else `plan`. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    // An apostrophe does not separate words.
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  return [...words].slice(0, mostLetters).join('').replace(/-$/, '') || 'plan';
}

/** The first free name, such as `2026-01-02-title-2.md`. `day`: YYYY-MM-DD. */
export function planFileName(
  { title, day }: Readonly<{ title: string; day: string }>,
  isTaken: (name: string) => boolean,
): string {
  const name = `${day}-${slugOf(title)}`;
  let free = `${name}.md`;
  for (let number = 2; isTaken(free); number += 1) free = `${name}-${number}.md`;
  return free;
}

/** Bytes: longer would not fit with git's `.lock` on common file systems. */
const maxBytes = 200;

/** The file's name without extension, or the folder's for a `tasks.md`, of which a repository has many. */
export function nameOfPlan(planFile: string): string {
  const base = path.basename(planFile).replace(/\.(?:md|markdown)$/i, '');
  const folder = path.basename(path.dirname(planFile));
  return base.toLowerCase() === 'tasks' && /[\p{L}\p{N}]/u.test(folder) ? folder : base;
}

const trunks: ReadonlySet<string> = new Set(['head', 'main', 'master', 'trunk', 'develop']);

export function branchName(planFile: string): string {
  const base = nameOfPlan(planFile);
  const name = cleanName(withoutDate(base)) || cleanName(base);
  // git takes HEAD for the head, and a trunk’s name would put the work onto the trunk.
  return name === '' || trunks.has(name.toLowerCase()) ? `plan${name && `-${name}`}` : name;
}

function withoutDate(base: string): string {
  return base.replace(/^\d{4}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[-_.\s]+|$)/, '');
}

function cleanName(text: string): string {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{N}\p{M}._-]+|\.{2,}/gu, '-');
  // What is left of a character at the cut reads as U+FFFD.
  let name = Buffer.from(plain)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/, '');
  for (let before = ''; before !== name; ) {
    before = name;
    name = name.replace(/-{2,}/g, '-').replace(/^[-.]+|[-.]+$|\.lock$/g, '');
  }
  return name;
}
