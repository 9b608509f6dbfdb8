// What conflicts in a lane mean for its session and for the proof. Pure.
import { shellWord } from '../../shell-word.ts';

export type Clash = Readonly<{
  files: readonly string[];
  /** The tree before the merge. */
  work: string;
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

/** A side may have it under another name, or not at all: `git ls-tree` shows that. */
function formatSides({ files, work }: Clash): string {
  const names = files.map(shellWord).join(' ');
  return `${files.join(', ')}: \`git diff HEAD ${work.slice(0, 12)} -- ${names}\` shows the branch’s side and your work’s`;
}

function formatLeft({ files, work }: Clash): string {
  const names = files.map(shellWord).join(' ');
  return `the conflict over ${files.join(', ')} was left as the merge had it (\`git ls-tree ${work.slice(0, 12)} -- ${names}\` lists what the work had)`;
}
