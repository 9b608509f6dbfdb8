// Keeps commits that the run's new owner does not have, in a ref of pawl's own that is never overwritten.
import { descends } from '../../git/run/ancestry.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';

/**
 * Keeps the head and returns the ref's name: this machine's ref if that is a fast-forward, else a further one. Undefined if
 * `theirs`, the other's head, contains it.
 */
export async function keepFenced(
  repo: Repo,
  {
    run,
    machine,
    head,
    theirs,
  }: Readonly<{ run: string; machine: string; head: string; theirs: string | undefined }>,
): Promise<string | undefined> {
  if (theirs !== undefined && (await descends(repo, head, theirs))) return undefined;
  const first = pawlRef(run, `fenced-${machine.replace(/[^\w-]/g, '-')}`);
  for (let number = 1; ; number += 1) {
    const ref = number === 1 ? first : `${first}-${number}`;
    const old = await readRef(repo, ref);
    if (old !== undefined && !(await descends(repo, old, head))) continue;
    if (old !== head) await changeRefs(repo, 'keep fenced', [{ ref, now: head, old }]);
    return ref;
  }
}
