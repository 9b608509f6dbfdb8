// Keeps commits that the run's new owner lacks, in a ref that is never overwritten.
import { descends } from '../../git/run/ancestry.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';

/** Returns the ref; undefined if `theirs`, the other's head, contains `head`. */
export async function keepFenced(
  repo: Repo,
  { run, head, theirs }: Readonly<{ run: string; head: string; theirs: string | undefined }>,
): Promise<string | undefined> {
  if (theirs !== undefined && (await descends(repo, head, theirs))) return undefined;
  const ref = pawlRef(run, `fenced-${head.slice(0, 12)}`);
  const old = await readRef(repo, ref);
  if (old !== head) await changeRefs(repo, 'keep fenced', [{ ref, now: head, old }]);
  return ref;
}
