// What the resolution of a conflict left out: lines that one of the sides had brought and that are in the file no more. That may
// well be right; a person is told of it.
import type { FactOf } from '../../event.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { stateOf, type Work } from '../../work/work.ts';

type LeftOut = FactOf<'landing-left-out'>['files'][number];

/** Journals what a tree, whose conflicts are resolved, leaves out; nothing is asked where no merge left any. */
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
 * How many lines of each side a file has no more, of those that the side had added. What others have taken out of the branch
 * since is not missed. Where a line stands, how far it is indented, and whether a comma ends it, does not matter. Pure.
 */
export function countLeftOut(
  file: Readonly<{
    /** What both sides began with, and what each made of it. */
    was: string;
    landed: string;
    own: string;
    /** As the branch has it now, and as it is to be. */
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

/** Of bytes that are no text there is one line. */
function linesOf(text: string): ReadonlySet<string> {
  const lines = text.includes('\0')
    ? [text]
    : text.split('\n').map((each) => each.trim().replace(/[,;]$/, ''));
  return new Set(lines.filter((each) => each !== ''));
}
