// A rescue point's format: its message, and which files go in.
import { accessSync, constants, existsSync } from 'node:fs';
import { matchesAny } from '../../glob.ts';
import { pathOf } from '../run/names.ts';
import { mostFileBytes } from '../tree/choose-files.ts';
import { statAt } from '../tree/entry.ts';
import type { StatusEntry } from '../tree/status.ts';

export type NotHeld = Readonly<{ file: string; why: string }>;

/** `clean`: the blob that git makes of a tracked file, if that loses something. */
export type ExactText = Readonly<{ file: string; mode: number; clean?: string | undefined }>;

export type PointText = Readonly<{
  reason: string;
  /** Short name, or `detached`. */
  branch: string;
  /** HEAD at the time; empty if there was none. */
  head: string;
  /** What was staged: `as HEAD`, `has conflicts`, or the last parent's tree. */
  index: string;
  /** Held byte for byte. */
  exact: readonly ExactText[];
  notHeld: readonly NotHeld[];
}>;

/** The reason, then one line per fact, for people and `parsePoint`. */
export function formatPoint(text: PointText): string {
  const reason = text.reason.replace(/\s+/g, ' ').trim() || 'rescue';
  const facts = [`branch: ${text.branch}`, `head: ${text.head}`, `index: ${text.index}`];
  const exact = text.exact.map((one) => `exact: ${JSON.stringify(one)}`);
  const missing = text.notHeld.map((entry) => `not-held: ${JSON.stringify(entry)}`);
  return `${reason}\n\n${[...facts, ...exact, ...missing].join('\n')}\n`;
}

export function parsePoint(message: string): PointText | undefined {
  const [reason = '', ...lines] = message.split('\n');
  const factOf = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `) || line === `${key}:`)?.slice(key.length + 2);
  const [branch, head, index] = ['branch', 'head', 'index'].map(factOf);
  if (branch === undefined || head === undefined || index === undefined) return undefined;
  const listOf = <T>(key: string): readonly T[] =>
    lines.filter((line) => line.startsWith(key)).map((line) => JSON.parse(line.slice(key.length)));
  return { reason, branch, head, index, exact: listOf('exact: '), notHeld: listOf('not-held: ') };
}

/** Whatever the reasons. */
export function isSamePoint(message: string, now: PointText): boolean {
  const then = parsePoint(message);
  return then !== undefined && formatPoint({ ...then, reason: '' }) === formatPoint({ ...now, reason: '' });
}

/** Larger ignored files are never copied. */
const ignoredBytes = 1024 * 1024;

/** Raw names to add as git does or byte for byte, and to remove. */
export type RescueChoice = Readonly<{
  stage: readonly string[];
  exact: readonly string[];
  unstage: readonly string[];
  notHeld: readonly NotHeld[];
}>;

/** An ignored file that a point holds all the same, up to 1 MB. */
export function isHeldIgnored(file: string): boolean {
  return matchesAny(file, ['.env*']);
}

export function chooseRescued(root: string, entries: readonly StatusEntry[]): RescueChoice {
  const stage: string[] = [];
  const exact: string[] = [];
  const unstage: string[] = [];
  const notHeld: NotHeld[] = [];
  for (const entry of entries) {
    if (entry.kind === 'ignored') {
      if (!isHeldIgnored(entry.file.replace(/\/$/, ''))) continue;
      if (entry.file.endsWith('/')) {
        notHeld.push({ file: entry.file, why: 'an ignored folder, not copied' });
        continue;
      }
    }
    const isNew = entry.kind !== 'tracked' || (entry.staged === 'A' && !entry.gitlink);
    if (!isNew && entry.work === '.') continue;
    if (entry.kind === 'tracked' && entry.work === 'D' && !entry.gitlink) {
      unstage.push(entry.raw);
      // git reports the file that is gone, but not a repository without commits in its place.
      if (existsSync(pathOf(root, `${entry.raw}/.git`)))
        notHeld.push({ file: `${entry.file}/`, why: ownRepository });
      continue;
    }
    const why = findObstacle(root, entry);
    if (why === undefined) (isNew ? exact : stage).push(entry.raw);
    else notHeld.push({ file: entry.file, why });
    if (why !== undefined && entry.kind === 'tracked' && isNew) unstage.push(entry.raw);
  }
  return { stage, exact, unstage, notHeld };
}

const ownRepository = 'a repository of its own';

function findObstacle(root: string, entry: StatusEntry): string | undefined {
  if (entry.gitlink) return 'a submodule, which keeps its own history';
  if (entry.file.endsWith('/')) return ownRepository;
  const where = pathOf(root, entry.raw);
  const found = statAt(root, entry.raw);
  if (!found || found.isSymbolicLink() || found.isDirectory()) return undefined;
  if (!found.isFile()) return 'a pipe, socket or device';
  const isNew = entry.kind !== 'tracked' || entry.staged === 'A';
  const most = entry.kind === 'ignored' ? ignoredBytes : mostFileBytes;
  if (isNew && found.size > most) return `${(found.size / 1024 / 1024).toFixed(1)} MB, too big to copy`;
  try {
    accessSync(where, constants.R_OK);
    return undefined;
  } catch {
    return 'cannot be read';
  }
}
