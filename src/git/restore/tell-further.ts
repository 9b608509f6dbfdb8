// Names what was done beyond refs and the working tree.
import { type Further, type Places, readReflog } from '../protect/further.ts';
import { movesOf } from '../protect/reflog.ts';
import type { Refs } from '../run/refs.ts';
import type { Violation } from './violation.ts';

export function compareFurther(
  repo: Places,
  before: Further | undefined,
  now: Further,
): readonly Violation[] {
  if (!before) return [];
  const name = (act: Violation['act'], detail: string): Violation => ({ act, detail, response: 'reported' });
  const trees = [...before.worktrees].flatMap(([where, head]) => {
    const found = now.worktrees.get(where);
    if (found === undefined)
      return name('changed-worktree', `${where} was removed, with what was not committed there`);
    return found === head ? [] : name('changed-worktree', `${where} is at ${found} (it was at ${head})`);
  });
  const isExpired = before.lastMove !== '' && !readReflog(repo).includes(before.lastMove);
  return [
    ...findPushes(repo, before.remotes, now.remotes).map((detail) => name('pushed', detail)),
    ...trees,
    ...(isExpired ? [name('expired-reflog', 'commits that no ref holds may be gone for good')] : []),
  ];
}

/** A fetch moves these refs too: git's words in the reflog tell which it was. */
function findPushes(repo: Places, before: Refs, now: Refs): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((ref) => {
    const [old, current] = [before.get(ref), now.get(ref)];
    if (old === current) return [];
    const short = ref.slice('refs/remotes/'.length);
    const from = (old ?? 'nothing').slice(0, 12);
    if (current === undefined) return `${short} is gone, there or only here (it was ${from})`;
    const isPushed = movesOf(repo, ref, old).some(({ how }) => how === 'update by push');
    return isPushed ? `${short} from ${from} to ${current.slice(0, 12)}` : [];
  });
}
