// Keeps commits that whoever has the run now does not have, as a ref of pawl's own that no later one takes the place of.
import { descends } from '../../git/run/ancestry.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';

/** Keeps the head and names the ref: that of this machine, where it only goes forward, else a further one. Undefined where `theirs`, the other's head, has it. */
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
