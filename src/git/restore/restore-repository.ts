// Undoes what an agent must not do to the repository, pawl's own refs included, which only grow. A ref first keeps what is
// taken away.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { compareFurther, readFurther } from '../protect/further.ts';
import { findOperation, readHead, readStashes, resolveHead, type Snapshot } from '../protect/snapshot.ts';
import { lastPointsOf } from '../rescue/rescue-commit.ts';
import { leadsTo } from '../run/ancestry.ts';
import { changeRefs, operationOids, readRefs, repairHead } from '../run/head.ts';
import { removeLocks } from '../run/lock-files.ts';
import { fewOf, joinNul, nameOf } from '../run/names.ts';
import { earlierName, isPassing, nextRefs, pawlRef, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from '../tree/entry.ts';
import { clearFlags, readFlags } from '../tree/flags.ts';
import { findGone, saveLost } from './lost-objects.ts';
import { restoreHead } from './restore-head.ts';
import { type ProtectedFileChange, restoreProtectedFiles } from './restore-protected-files.ts';
import type { Violation, ViolationRestore } from './violation.ts';

/** Config and hooks first. Throws Failure('git') if `.git` was removed or replaced. */
export async function restoreRepository(
  repo: Repo,
  before: Snapshot,
  options: ViolationRestore,
): Promise<readonly Violation[]> {
  const changes = await restoreProtectedFiles(repo, before.guarded, options.owns);
  const locks = await removeLocks(repo, options);
  const file = readHead(repo);
  const broken = file.branch === undefined && file.detached === undefined;
  if (broken) repairHead(repo, options.branch);
  const [found, flags] = await Promise.all([readRefs(repo), readFlags(repo)]);
  const { refs, links } = found;
  // Writing to another's name would move that: each keeps its value as its own.
  const input = [...links]
    .filter(([ref, target]) => before.links.get(ref) !== target)
    .map(([ref]) => `update ${ref} ${refs.get(ref) ?? found.own.get(ref) ?? ''}\n`)
    .join('');
  if (input !== '') await repo.write('refs of their own', ['update-ref', '--no-deref', '--stdin'], { input });
  const { own, moves } = await restoreOwnRefs(repo, options.run, before.own, found.own);
  const violations: Violation[] = [
    ...(await saveReplaced(repo, changes, nextRefs(own, options.run, 'kept'))),
    ...locks.map(
      (lock): Violation => ({ act: 'left-process', detail: `a dead git left ${lock}`, response: 'put-back' }),
    ),
    ...(await restoreFlags(repo, before.flags, flags)),
    ...moves,
    ...compareFurther(repo, before.further, { ...readFurther(repo, found.remotes), pushed: options.pushed }),
  ];
  if (broken)
    violations.push({ act: 'switched-branch', detail: 'HEAD was not readable', response: 'put-back' });
  const stashes = readStashes(repo, refs);
  const loose = findOperation(repo) === before.operation ? [] : operationOids(repo);
  const { branch } = resolveHead(readHead(repo), refs);
  const told = [...(options.told ?? []), ...(branch === undefined ? [] : [branch])];
  violations.push(...(await restoreHead({ repo, before, options, refs, own })));
  const now = { refs, stashes };
  return [...violations, ...(await saveLost(repo, { ...options, before, now, own, loose, told }))];
}

async function saveReplaced(
  repo: Repo,
  changes: readonly ProtectedFileChange[],
  next: () => string,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const { taken, ...change } of changes) {
    if (taken === undefined) {
      violations.push(change);
      continue;
    }
    const kept = next();
    const oid = (await repo.write('keep a file', ['hash-object', '-w', '--stdin'], { input: taken })).trim();
    await changeRefs(repo, 'keep a file', [{ ref: kept, now: oid, old: undefined }]);
    violations.push({ ...change, kept });
  }
  return violations;
}

async function restoreFlags(
  repo: Repo,
  before: Snapshot['flags'],
  now: Snapshot['flags'],
): Promise<readonly Violation[]> {
  const added = [...now].filter(([raw, tag]) => before.get(raw) !== tag).map(([raw]) => raw);
  if (added.length === 0) return [];
  await clearFlags(repo, added);
  // If git left files out, nobody has removed them.
  const skipped = added.filter((raw) => now.get(raw) !== 'h' && statAt(repo.root, raw) === undefined);
  if (skipped.length > 0)
    await repo.write('skipped files back', ['checkout-index', '-z', '--stdin'], { input: joinNul(skipped) });
  const back = skipped.length === 0 ? '' : '; what it had left out of the working tree is back';
  const detail = `git was told not to look at changes of ${fewOf(added.map(nameOf))}${back}`;
  return [{ act: 'changed-git-config', detail, response: 'put-back' }];
}

/** `own`: as they are then. What a person removed with its run's folder (`pawl clean`) stays away. */
async function restoreOwnRefs(
  repo: Repo,
  run: string,
  before: Refs,
  now: Refs,
): Promise<Readonly<{ own: Refs; moves: readonly Violation[] }>> {
  const differ = [...new Map([...before, ...lastPointsOf(repo)])].filter(
    ([ref, old]) => now.get(ref) !== old && !(now.has(ref) && isPassing(ref)) && !isCleaned(repo, run, ref),
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
    if (gone.has(old) || (is !== undefined && (await leadsTo(repo, old, is)))) continue;
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
