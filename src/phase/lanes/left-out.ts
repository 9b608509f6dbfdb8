// What resolving a conflict left out: lines that one of the sides had added and that are no longer in the file. That may
// well be right; a person is told.
import type { FactOf } from '../../event.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { stateOf, type Work } from '../../work/work.ts';

type LeftOut = FactOf<'landing-left-out'>['files'][number];

/** Journals what a tree with resolved conflicts leaves out; does no work if no merge left any. */
export async function noteLeftOut(lane: Place, { task }: Pick<Work, 'task'>, tree: string): Promise<void> {
  const { merges = [] } = stateOf(lane, task);
  if (merges.length === 0) return;
  const found = await Promise.all(merges.map((merge) => readLeftOut(lane.repo, merge, tree)));
  const files = found.flat();
  const known = lane.run.state().landings.leftOut.get(task.id) ?? [];
  if (JSON.stringify(known) === JSON.stringify(files)) return;
  lane.run.emit({ type: 'landing-left-out', lane: lane.lane?.number ?? 0, task: task.id, files });
}

async function readLeftOut(
  repo: Repo,
  { from, onto, tree: work, conflicts }: FactOf<'lane-catching-up'>,
  tree: string,
): Promise<LeftOut[]> {
  const [was, landed, own, head, is] = await Promise.all(
    [from, onto, work, 'HEAD', tree].map((treeish) => readBlobs(repo, treeish, conflicts)),
  );
  return conflicts.flatMap((file) => {
    const { landed: theirs, own: ours } = countLeftOut({
      was: was?.get(file) ?? '',
      landed: landed?.get(file) ?? '',
      own: own?.get(file) ?? '',
      head: head?.get(file) ?? '',
      is: is?.get(file) ?? '',
    });
    return theirs + ours === 0 ? [] : [{ file, landed: theirs, own: ours, onto, tree: work }];
  });
}

/**
 * How many of the lines that each side had added are no longer in the file. Lines that others have since removed from the
 * branch are not counted. A line's position, indentation and trailing comma do not matter. Pure.
 */
export function countLeftOut(
  file: Readonly<{
    /** The common ancestor, and each side's version of it. */
    was: string;
    landed: string;
    own: string;
    /** The branch's current version, and the new one. */
    head: string;
    is: string;
  }>,
): Readonly<{ landed: number; own: number }> {
  const was = linesOf(file.was);
  const head = linesOf(file.head);
  const is = linesOf(file.is);
  const missing = (side: string) => [...linesOf(side)].filter((each) => !was.has(each) && !is.has(each));
  return {
    landed: missing(file.landed).filter((each) => head.has(each)).length,
    own: missing(file.own).length,
  };
}

function linesOf(text: string): ReadonlySet<string> {
  const lines = text.includes('\0')
    ? [text]
    : text.split('\n').map((each) => each.trim().replace(/[,;]$/, ''));
  return new Set(lines.filter((each) => each !== ''));
}
