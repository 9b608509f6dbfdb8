// What a rescue point is: the text of its commit, and which files go into it. It runs no git.
import { accessSync, constants, lstatSync } from 'node:fs';
import { matchesAny } from './glob.ts';
import { pathOf } from './names.ts';
import type { StatusEntry } from './status.ts';

/** A file the rescue does not hold, with the reason in words. */
export type NotHeld = Readonly<{ file: string; why: string }>;

/** What a rescue commit's text says. */
export type PointText = Readonly<{
  reason: string;
  /** Branch's short name, or `detached`. */
  branch: string;
  /** HEAD then; empty: there was none. */
  head: string;
  /** What was staged: `as HEAD`, `has conflicts`, or the tree of the third parent. */
  index: string;
  notHeld: readonly NotHeld[];
}>;

/** The message of a rescue commit: the reason, then one line per fact, to be read by people and `parsePoint`. */
export function formatPoint(text: PointText): string {
  const reason = text.reason.replace(/\s+/g, ' ').trim() || 'rescue';
  const facts = [`branch: ${text.branch}`, `head: ${text.head}`, `index: ${text.index}`];
  const missing = text.notHeld.map((entry) => `not-held: ${JSON.stringify(entry)}`);
  return `${reason}\n\n${[...facts, ...missing].join('\n')}\n`;
}

/** Reads a rescue commit's message back; undefined when it is none. */
export function parsePoint(message: string): PointText | undefined {
  const [reason = '', ...lines] = message.split('\n');
  const factOf = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `) || line === `${key}:`)?.slice(key.length + 2);
  const [branch, head, index] = [factOf('branch'), factOf('head'), factOf('index')];
  if (branch === undefined || head === undefined || index === undefined) return undefined;
  const notHeld = lines
    .filter((line) => line.startsWith('not-held: '))
    .flatMap((line) => readNotHeld(line.slice(10)));
  return { reason, branch, head, index, notHeld };
}

/** True when a point's message and the state now are one, whatever the reasons. */
export function isSamePoint(message: string, now: PointText): boolean {
  const then = parsePoint(message);
  return then !== undefined && formatPoint({ ...then, reason: '' }) === formatPoint({ ...now, reason: '' });
}

/** Ignored files above it are never copied; in bytes. */
const ignoredBytes = 1024 * 1024;

/** Sorts what differs from the rescue's index: what it takes in, what leaves it, what it cannot hold. Raw names in `stage` and `unstage`. */
export function chooseRescued(
  root: string,
  entries: readonly StatusEntry[],
  rules: Readonly<{ include: readonly string[]; maxFileMb: number }>,
): Readonly<{ stage: readonly string[]; unstage: readonly string[]; notHeld: readonly NotHeld[] }> {
  const stage: string[] = [];
  const unstage: string[] = [];
  const notHeld: NotHeld[] = [];
  for (const entry of entries) {
    if (entry.kind === 'ignored' && (entry.file.endsWith('/') || !matchesAny(entry.file, rules.include)))
      continue;
    if (entry.kind === 'tracked' && entry.work === '.') continue;
    if (entry.kind === 'tracked' && entry.work === 'D' && !entry.gitlink) {
      unstage.push(entry.raw);
      continue;
    }
    const why = findObstacle(root, entry, rules.maxFileMb);
    if (why === undefined) stage.push(entry.raw);
    else notHeld.push({ file: entry.file, why });
    if (why !== undefined && entry.kind === 'tracked' && entry.staged === 'A') unstage.push(entry.raw);
  }
  return { stage, unstage, notHeld };
}

function findObstacle(root: string, entry: StatusEntry, maxFileMb: number): string | undefined {
  if (entry.gitlink) return 'a submodule, which keeps its own history';
  if (entry.file.endsWith('/')) return 'a repository of its own';
  const where = pathOf(root, entry.raw);
  const found = lstatSync(where, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || found.isDirectory()) return undefined;
  const isNew = entry.kind !== 'tracked' || entry.staged === 'A';
  const most =
    entry.kind === 'ignored' ? Math.min(ignoredBytes, maxFileMb * 1024 * 1024) : maxFileMb * 1024 * 1024;
  if (isNew && found.size > most) return `${(found.size / 1024 / 1024).toFixed(1)} MB, too big to copy`;
  try {
    accessSync(where, constants.R_OK);
    return undefined;
  } catch {
    return 'cannot be read';
  }
}

function readNotHeld(text: string): readonly NotHeld[] {
  try {
    const { file, why } = JSON.parse(text);
    return typeof file === 'string' && typeof why === 'string' ? [{ file, why }] : [];
  } catch {
    return [];
  }
}
