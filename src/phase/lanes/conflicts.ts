// What a lane's tree still shows of merge conflicts.
import { conflictMarks, isStandIn } from '../../git/lane/merge-trees.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { changedNames } from '../../git/tree/changes.ts';
import type { LaneWork } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { shellWord } from '../../shell-word.ts';
import { stateOf, type Work } from '../../work/work.ts';

type Merged = LaneWork['merges'][number];

export async function findConflicts(
  lane: Place,
  work: Pick<Work, 'task'>,
  { tree, fresh = [] }: Readonly<{ tree: string; fresh?: readonly string[] }>,
): Promise<Unmerged> {
  const { conflicts = [], merges = [] } = stateOf(lane, work.task).lane ?? {};
  if (merges.length === 0) return { unmerged: [], unproved: [] };
  const { repo } = lane;
  const marks = await grep(repo, tree, ['-F', ...conflictMarks.flatMap((mark) => ['-e', mark])]);
  const separators = await findSeparators(repo, { tree, conflicts, merges });
  const names = splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])).map(nameOf);
  const left = await Promise.all(merges.map((merged) => findUntouched(repo, merged, tree)));
  const { unmerged, unproved } = judgeConflicts({
    fresh,
    marks: [...new Set([...marks, ...separators])],
    standIns: names.filter(isStandIn),
    untouched: left.flatMap(({ clashes }) => clashes),
  });
  return { unmerged, unproved: [...unproved, ...left.flatMap(({ ruled }) => ruled)] };
}

/** `ruled`: in words. */
async function findUntouched(
  repo: Repo,
  { merged, tree: work, clashes, ruled = [] }: Merged,
  tree: string,
): Promise<Readonly<{ clashes: readonly Clash[]; ruled: readonly string[] }>> {
  const touched = new Set(await changedNames(repo, merged, tree));
  const left = clashes.filter((files) => !files.some((file) => touched.has(file)));
  const rules = ruled.filter(({ file }) => !touched.has(file));
  return {
    clashes: left.map((files) => ({ files, work })),
    ruled: rules.map(
      ({ file, driver }) =>
        `${file} was merged by merge=${driver}, which the work itself has set in .gitattributes`,
    ),
  };
}

/** Files in conflict with a separator line that neither side had. */
async function findSeparators(
  repo: Repo,
  { tree, conflicts, merges }: Readonly<{ tree: string }> & Pick<LaneWork, 'conflicts' | 'merges'>,
): Promise<readonly string[]> {
  const args = ['-E', '-e', '^={7}[[:space:]]*$', '-e', '^[|]{7}( .*)?$'];
  const found = (await grep(repo, tree, args)).filter((file) => conflicts.includes(file));
  if (found.length === 0) return [];
  const sides = merges.flatMap(({ onto, tree: work }) => [onto, work]);
  const had = new Set((await Promise.all(sides.map((side) => grep(repo, side, args)))).flat());
  return found.filter((file) => !had.has(file));
}

async function grep(repo: Repo, treeish: string, args: readonly string[]): Promise<readonly string[]> {
  const found = await repo.bytes(['grep', '-l', '-z', ...args, treeish, '--'], { okCodes: [0, 1] });
  return splitNul(found).map((name) => nameOf(name.slice(name.indexOf(':') + 1)));
}

type Clash = Readonly<{
  files: readonly string[];
  /** The tree before the merge. */
  work: string;
}>;

/**
 * In words. `unmerged`: to resolve before any check; `unproved`: left, so green checks do not prove it right.
 */
type Unmerged = Readonly<{ unmerged: readonly string[]; unproved: readonly string[] }>;

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
