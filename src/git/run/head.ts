// Reads and moves refs and HEAD, and ends operations. `refs.ts` decides when.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { type AllRefs, nextRefs, parseRefs } from './refs.ts';
import type { Repo } from './repo.ts';

export async function readRefs(repo: Repo): Promise<AllRefs> {
  return parseRefs(await repo.git(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']));
}

/** By full name; undefined if there is none. */
export async function readRef(repo: Repo, ref: string): Promise<string | undefined> {
  const printed = await repo.git(['rev-parse', '-q', '--verify', ref], { okCodes: [0, 1] });
  return printed.trim() || undefined;
}

/** Below these prefixes or patterns, by full name; in git's order. */
export async function listRefs(
  repo: Repo,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const listed = await repo.git(['for-each-ref', '--format=%(refname) %(objectname)', ...patterns]);
  const lines = listed.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => line.split(' ', 2) as [string, string]));
}

/** `old`: what it must hold, undefined if it must not exist; `now`: undefined deletes it. */
export type RefChange = Readonly<{ ref: string; now: string | undefined; old: string | undefined }>;

/** All of them, or none and Failure('git') if one is not as expected. */
export async function changeRefs(repo: Repo, label: string, changes: readonly RefChange[]): Promise<void> {
  if (changes.length === 0) return;
  const lines = changes.map(({ ref, now, old }) => {
    if (now === undefined) return `delete ${ref}${old === undefined ? '' : ` ${old}`}\n`;
    return old === undefined ? `create ${ref} ${now}\n` : `update ${ref} ${now} ${old}\n`;
  });
  await repo.write(label, ['update-ref', '-m', `pawl: ${label}`, '--stdin'], { input: lines.join('') });
}

/** HEAD's branch goes to another commit, and a ref of the run's keeps where it was: both or neither. Returns that ref. */
export async function moveHead(
  repo: Repo,
  label: string,
  { run, folder, from, to }: Readonly<{ run: string; folder: string; from: string; to: string }>,
): Promise<string> {
  const kept = nextRefs((await readRefs(repo)).own, run, folder)();
  await changeRefs(repo, label, [
    { ref: kept, now: from, old: undefined },
    { ref: 'HEAD', now: to, old: from },
  ]);
  return kept;
}

export async function pointHead(repo: Repo, branch: string): Promise<void> {
  await repo.write('HEAD back', ['symbolic-ref', '-m', 'pawl: HEAD back', 'HEAD', `refs/heads/${branch}`]);
}

/** Without a readable HEAD git would not recognize the repository. */
export function repairHead(repo: Repo, branch: string): void {
  writeFileAtomic(path.join(repo.gitDir, 'HEAD'), `ref: refs/heads/${branch}\n`);
}

/** Only state files name them: where an operation was, and what it had set aside. */
export function operationOids(repo: Repo): readonly string[] {
  const files = stateNames(repo).flatMap((name) => [name, `${name}/orig-head`, `${name}/autostash`]);
  return files.flatMap((name) => {
    const text = orElse(() => readFileSync(path.join(repo.gitDir, name), 'latin1'), '');
    return text.match(/\b([0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? [];
  });
}

/** HEAD, index and work tree stay. */
export function endOperation(repo: Repo): void {
  for (const name of stateNames(repo)) removeOwnFolder(path.join(repo.gitDir, name));
}

function stateNames({ gitDir }: Repo): readonly string[] {
  const names =
    /^(MERGE_\w+|AUTO_MERGE|SQUASH_MSG|(CHERRY_PICK|REVERT|REBASE)_HEAD|BISECT_\w+|rebase-(merge|apply)|sequencer)$/;
  return readdirSync(gitDir).filter((name) => names.test(name));
}

/** Returns Failure('history') unless HEAD is the expected commit. */
export function judgeParent(head: string, expected: string): Failure | undefined {
  if (head === expected) return undefined;
  return new Failure(
    'history',
    `HEAD is ${head.slice(0, 12)}, not ${expected.slice(0, 12)} as the run left it`,
    { hint: 'Somebody else commits on this branch: run the same command again once they have finished.' },
  );
}

/** False if somebody else has moved it. */
export async function moveBranch(
  repo: Repo,
  { branch, from, to }: Readonly<{ branch: string; from: string; to: string }>,
): Promise<boolean> {
  try {
    await changeRefs(repo, 'land', [{ ref: `refs/heads/${branch}`, now: to, old: from }]);
    return true;
  } catch (error) {
    const now = await readRef(repo, `refs/heads/${branch}`);
    if (now === from) throw error;
    return now === to;
  }
}
