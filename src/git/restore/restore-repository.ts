// Compares the repository with what it was before a session and puts back what is not the agent's business. It loses
// nothing: whatever it takes away is a ref of pawl's first. It words no event and reads no plan.

import {
  findOperation,
  readFlags,
  readHead,
  readRefs,
  readStashes,
  resolveHead,
  type Snapshot,
} from '../protect/snapshot.ts';
import { changeRefs, operationOids, repairHead } from '../run/head.ts';
import { removeLocks } from '../run/lock-files.ts';
import { fewOf, nameOf } from '../run/names.ts';
import { nextRefs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { clearFlags } from '../tree/index-file.ts';
import { removePipes } from '../tree/pipes.ts';
import { keepLost } from './lost-objects.ts';
import { putHeadBack } from './restore-head.ts';
import { type GuardedChange, putBackGuarded } from './restore-protected-files.ts';
import type { Act, PutBackOptions } from './violation.ts';

/** Compares the repository with the snapshot and puts back what is not the agent's business; config and hooks by plain file writes before any git command. `.git` removed or replaced is Failure('git'). */
export async function putBack(
  repo: Repo,
  before: Snapshot,
  options: PutBackOptions,
): Promise<Readonly<{ acts: readonly Act[] }>> {
  const changes = putBackGuarded(repo, before.guarded, options.owns);
  const pipes = options.isStrange ? await removePipes(repo.root) : [];
  const locks = await removeLocks(repo, options);
  const file = readHead(repo);
  const broken = file.branch === undefined && file.detached === undefined;
  if (broken) repairHead(repo, options.branch);
  const { refs, own } = await readRefs(repo);
  const acts: Act[] = [
    ...(await keepTaken(repo, changes, nextRefs(own, options.run, 'kept'))),
    ...locks.map(
      (lock): Act => ({ act: 'left-process', detail: `a dead git left ${lock}`, response: 'put-back' }),
    ),
    ...pipes.map((file): Act => ({ act: 'planted-pipe', detail: file, response: 'put-back' })),
    ...(await putFlagsBack(repo, before)),
  ];
  if (broken) acts.push({ act: 'switched-branch', detail: 'HEAD was not readable', response: 'put-back' });
  const stashes = readStashes(repo, refs);
  const loose = findOperation(repo) === before.operation ? [] : operationOids(repo);
  const { branch } = resolveHead(readHead(repo), refs);
  const told = [...(options.told ?? []), ...(branch === undefined ? [] : [branch])];
  acts.push(...(await putHeadBack({ repo, before, options, refs, own })));
  const lost = await keepLost(repo, { ...options, before, now: { refs, stashes }, own, loose, told });
  return { acts: [...acts, ...lost.map((move): Act => ({ response: 'reported', ...move }))] };
}

async function keepTaken(
  repo: Repo,
  changes: readonly GuardedChange[],
  next: () => string,
): Promise<readonly Act[]> {
  const acts: Act[] = [];
  for (const { taken, ...change } of changes) {
    if (taken === undefined) {
      acts.push(change);
      continue;
    }
    const kept = next();
    const oid = (await repo.write('keep a file', ['hash-object', '-w', '--stdin'], { input: taken })).trim();
    await changeRefs(repo, 'keep a file', [{ ref: kept, now: oid, old: undefined }]);
    acts.push({ ...change, kept });
  }
  return acts;
}

async function putFlagsBack(repo: Repo, before: Snapshot): Promise<readonly Act[]> {
  const now = await readFlags(repo);
  const added = [...now].filter(([raw, tag]) => before.flags.get(raw) !== tag).map(([raw]) => raw);
  if (added.length === 0) return [];
  await clearFlags(repo, added);
  const detail = `git was told not to look at changes of ${fewOf(added.map(nameOf))}`;
  return [{ act: 'changed-git-config', detail, response: 'put-back' }];
}
