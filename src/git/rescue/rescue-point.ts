// The format of a rescue point: the message of its commit, and which files go into it.

import { accessSync, constants, existsSync } from 'node:fs';
import { defined } from '../../defined.ts';
import { pathOf, rawOf } from '../run/names.ts';
import { statAt } from '../tree/entry.ts';
import { matchesAny } from '../tree/glob.ts';
import type { StatusEntry } from '../tree/status.ts';

/** A file the rescue does not hold, with the reason in words. */
export type NotHeld = Readonly<{ file: string; why: string }>;

export type PointText = Readonly<{
  reason: string;
  /** The branch's short name, or `detached`. */
  branch: string;
  /** HEAD at the time; empty if there was none. */
  head: string;
  /** What was staged: `as HEAD`, `has conflicts`, or the tree of the third parent. */
  index: string;
  /** Digest of the list of exact files, which is the message of the last parent; absent if there is none. */
  exact?: string;
  notHeld: readonly NotHeld[];
}>;

/** The parent that lists the point's exact files, as a revision; undefined if there is none. */
export function exactParent(point: PointText & Readonly<{ oid: string }>): string | undefined {
  if (point.exact === undefined) return undefined;
  const isStaged = point.index !== 'as HEAD' && point.index !== 'has conflicts';
  return `${point.oid}^${2 + (point.head === '' ? 0 : 1) + (isStaged ? 1 : 0)}`;
}

/** The message of a rescue commit: the reason, then one line per fact, for people and `parsePoint`. */
export function formatPoint(text: PointText): string {
  const reason = text.reason.replace(/\s+/g, ' ').trim() || 'rescue';
  const facts = [`branch: ${text.branch}`, `head: ${text.head}`, `index: ${text.index}`];
  if (text.exact !== undefined) facts.push(`exact: ${text.exact}`);
  const missing = text.notHeld.map((entry) => `not-held: ${JSON.stringify(entry)}`);
  return `${reason}\n\n${[...facts, ...missing].join('\n')}\n`;
}

/** Parses a rescue commit's message; undefined if it is not one. */
export function parsePoint(message: string): PointText | undefined {
  const [reason = '', ...lines] = message.split('\n');
  const factOf = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `) || line === `${key}:`)?.slice(key.length + 2);
  const [branch, head, index, exact] = ['branch', 'head', 'index', 'exact'].map(factOf);
  if (branch === undefined || head === undefined || index === undefined) return undefined;
  const notHeld = lines
    .filter((line) => line.startsWith('not-held: '))
    .flatMap((line) => readNotHeld(line.slice(10)));
  return { reason, branch, head, index, ...defined({ exact }), notHeld };
}

/** True if a point's message describes the current state, whatever the reasons. */
export function isSamePoint(message: string, now: PointText): boolean {
  const then = parsePoint(message);
  return then !== undefined && formatPoint({ ...then, reason: '' }) === formatPoint({ ...now, reason: '' });
}

/** The files differing from HEAD that the point stores with exact bytes and modes. Raw names. */
export function listChanged(
  entries: readonly StatusEntry[],
  chosen: ReturnType<typeof chooseRescued>,
): readonly string[] {
  const out = new Set([...chosen.unstage, ...chosen.notHeld.map(({ file }) => rawOf(file))]);
  const changed = entries.filter(
    ({ kind, staged, gitlink }) => kind === 'tracked' && staged !== '.' && !gitlink,
  );
  const raws = new Set([...changed.map(({ raw }) => raw), ...chosen.stage]);
  return [...raws].filter((raw) => !out.has(raw));
}

/** Larger ignored files are never copied; in bytes. */
const ignoredBytes = 1024 * 1024;

/** Larger new files are listed, not copied, unless configured otherwise. */
const defaultMaxFileMb = 10;

/**
 * Sorts the differences from the rescue's index: what to add, what to remove, what it cannot hold. Raw names in `stage` and
 * `unstage`.
 */
export function chooseRescued(
  root: string,
  entries: readonly StatusEntry[],
  rules: Readonly<{ include: readonly string[]; maxFileMb?: number }>,
): Readonly<{ stage: readonly string[]; unstage: readonly string[]; notHeld: readonly NotHeld[] }> {
  const stage: string[] = [];
  const unstage: string[] = [];
  const notHeld: NotHeld[] = [];
  for (const entry of entries) {
    if (entry.kind === 'ignored') {
      if (!matchesAny(entry.file.replace(/\/$/, ''), rules.include)) continue;
      if (entry.file.endsWith('/')) {
        notHeld.push({ file: entry.file, why: 'an ignored folder, not copied' });
        continue;
      }
    }
    if (entry.kind === 'tracked' && entry.work === '.') continue;
    if (entry.kind === 'tracked' && entry.work === 'D' && !entry.gitlink) {
      unstage.push(entry.raw);
      // git reports the file that is gone, but not a repository without commits that is there now.
      if (isRepository(root, entry)) notHeld.push({ file: `${entry.file}/`, why: ownRepository });
      continue;
    }
    const why = findObstacle(root, entry, rules.maxFileMb ?? defaultMaxFileMb);
    if (why === undefined) stage.push(entry.raw);
    else notHeld.push({ file: entry.file, why });
    if (why !== undefined && entry.kind === 'tracked' && entry.staged === 'A') unstage.push(entry.raw);
  }
  return { stage, unstage, notHeld };
}

const ownRepository = 'a repository of its own';

function isRepository(root: string, { raw }: StatusEntry): boolean {
  return existsSync(pathOf(root, `${raw}/.git`));
}

function findObstacle(root: string, entry: StatusEntry, maxFileMb: number): string | undefined {
  if (entry.gitlink) return 'a submodule, which keeps its own history';
  if (entry.file.endsWith('/')) return ownRepository;
  const where = pathOf(root, entry.raw);
  const found = statAt(root, entry.raw);
  if (!found || found.isSymbolicLink() || found.isDirectory()) return undefined;
  if (!found.isFile()) return 'a pipe, socket or device';
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
