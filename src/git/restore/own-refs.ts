// Puts back refs of pawl's own that a session deleted or moved. They only grow, so that what is there instead tells.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastPointsOf } from '../rescue/rescue-commit.ts';
import { leadsTo } from '../run/ancestry.ts';
import { changeRefs } from '../run/head.ts';
import { fewOf } from '../run/names.ts';
import { earlierName, isPassing, pawlRef, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { findGone } from './lost-objects.ts';
import type { Violation } from './violation.ts';

/** `own`: as they are then. What a person removed with its run's folder (`pawl clean`) stays away. */
export async function restoreOwnRefs(
  repo: Repo,
  run: string,
  before: Refs,
  now: Refs,
): Promise<Readonly<{ own: Refs; moves: readonly Violation[] }>> {
  const differ = [...new Map([...before, ...lastPointsOf(repo)])].filter(
    ([ref, old]) => now.get(ref) !== old && !isCleaned(repo, run, ref),
  );
  const gone = await findGone(
    repo,
    differ.map(([, old]) => old),
  );
  const own = new Map(now);
  const moves: Violation[] = [];
  const deleted: string[] = [];
  for (const [ref, old] of differ) {
    const is = now.get(ref);
    if (gone.has(old) || (is !== undefined && (isPassing(ref) || (await leadsTo(repo, old, is))))) continue;
    const kept = is === undefined ? undefined : earlierName(ref, is);
    const keeping = kept === undefined || own.has(kept) ? [] : [{ ref: kept, now: is, old: undefined }];
    await changeRefs(repo, `${ref} back`, [...keeping, { ref, now: old, old: is }]);
    own.set(ref, old);
    if (kept === undefined) deleted.push(ref);
    else moves.push({ act: 'moved-ref', detail: `${ref} was moved`, response: 'put-back', kept });
  }
  if (deleted.length === 0) return { own, moves };
  const detail = `${fewOf(deleted)} ${deleted.length === 1 ? 'was' : 'were'} deleted`;
  return { own, moves: [...moves, { act: 'moved-ref', detail, response: 'put-back' }] };
}

function isCleaned({ commonDir }: Repo, run: string, ref: string): boolean {
  const [, , of = ''] = ref.split('/');
  return !ref.startsWith(pawlRef(run, '')) && !existsSync(path.join(commonDir, 'pawl', 'runs', of));
}
