// What conflicts in a lane mean for its session and for the proof. Pure.
import { shellWord } from '../../shell-word.ts';

export type Clash = Readonly<{
  files: readonly string[];
  /** Before the merge. */
  work: string;
  landed: readonly string[];
  had: readonly string[];
}>;

/**
 * In words. `unmerged`: to resolve before any check; `unproved`: left, so green checks do not prove it right.
 */
export type Unmerged = Readonly<{ unmerged: readonly string[]; unproved: readonly string[] }>;

export function judgeConflicts(
  found: Readonly<{
    /** No session knows of them yet. */
    fresh: readonly string[];
    marks: readonly string[];
    /** Under a name that the merge gave them. */
    standIns: readonly string[];
    /** No file was touched since. */
    untouched: readonly Clash[];
  }>,
): Unmerged {
  const { fresh, marks, standIns } = found;
  const visible = new Set([...marks, ...standIns]);
  const silent = found.untouched.filter((clash) => !clash.files.some((file) => visible.has(file)));
  const unmerged = [
    ...fresh.map((file) => `${file}: changed on both sides`),
    ...marks
      .filter((file) => !fresh.includes(file))
      .map((file) => `${file}: still holds marks of a conflict`),
    ...standIns.map(
      (file) =>
        `${file}: the merge gave it this name, because the other side has something else under its own name; find a place for both, so that no name ends like that`,
    ),
  ];
  return fresh.length > 0
    ? { unmerged: [...unmerged, ...silent.map(formatSides)], unproved: [] }
    : { unmerged, unproved: silent.map(formatLeft) };
}

function formatSides({ files, work, landed, had }: Clash): string {
  return `${files.join(', ')}: ${formatSide('the branch', 'HEAD', landed)}; ${formatSide('your work', work.slice(0, 12), had)}`;
}

function formatSide(whose: string, treeish: string, files: readonly string[]): string {
  if (files.length === 0) return `${whose} does not have it`;
  return `${whose} has ${files.map((file) => formatShow(treeish, file)).join(', ')}`;
}

function formatLeft({ files, work, had }: Clash): string {
  const where =
    had.length === 0
      ? 'the work itself did not have it'
      : `as the work had it: ${had.map((file) => formatShow(work.slice(0, 12), file)).join(', ')}`;
  return `the conflict over ${files.join(', ')} was left as the merge had it (${where})`;
}

function formatShow(treeish: string, file: string): string {
  return `\`git show ${shellWord(`${treeish}:${file}`)}\``;
}
