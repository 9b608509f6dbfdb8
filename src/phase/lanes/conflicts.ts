// What a lane's tree still shows of merge conflicts.
import { conflictMarks, isStandIn } from '../../git/lane/merge-trees.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { changedNames } from '../../git/tree/changes.ts';
import type { LaneWork } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { shellWord } from '../../shell-word.ts';
import { stateOf, type Work } from '../../work/work.ts';

export async function findConflicts(
  lane: Place,
  work: Pick<Work, 'task'>,
  { tree, fresh = [] }: Readonly<{ tree: string; fresh?: readonly string[] }>,
): Promise<Unmerged> {
  const { merges = [] } = stateOf(lane, work.task).lane ?? {};
  if (merges.length === 0) return { unmerged: [], unproved: [] };
  const { repo } = lane;
  const args = ['grep', '-l', '-z', '-F', ...conflictMarks.flatMap((mark) => ['-e', mark]), tree, '--'];
  const marked = splitNul(await repo.bytes(args, { okCodes: [0, 1] }));
  const names = splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])).map(nameOf);
  const left = await Promise.all(merges.map((merged) => findUntouched(repo, merged, tree)));
  return judgeConflicts({
    fresh,
    marks: marked.map((name) => nameOf(name.slice(name.indexOf(':') + 1))),
    standIns: names.filter(isStandIn),
    untouched: left.flat(),
  });
}

async function findUntouched(
  repo: Repo,
  { merged, tree: work, clashes }: LaneWork['merges'][number],
  tree: string,
): Promise<readonly Clash[]> {
  const touched = new Set(await changedNames(repo, merged, tree));
  return clashes.flatMap((files) => (files.some((file) => touched.has(file)) ? [] : { files, work }));
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
function formatSides(clash: Clash): string {
  return `${clash.files.join(', ')}: \`git diff HEAD ${shellOf(clash)}\` shows the branch’s side and your work’s`;
}

function formatLeft(clash: Clash): string {
  return `the conflict over ${clash.files.join(', ')} was left as the merge had it (\`git ls-tree ${shellOf(clash)}\` lists what the work had)`;
}

function shellOf({ files, work }: Clash): string {
  return `${work.slice(0, 12)} -- ${files.map(shellWord).join(' ')}`;
}
