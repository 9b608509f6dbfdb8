// Removes lock files that a killed git left, never one that a running git may hold.
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow, isBelow } from '../../below.ts';
import { removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { sleep } from '../../process/clock.ts';
import { readTable } from '../../process/process-table.ts';
import type { Repo } from './repo.ts';

type Place = Pick<Repo, 'root' | 'gitDir' | 'commonDir'>;

export type LockOptions = Readonly<{
  /** Absent: only locks on pawl's own refs are removed. */
  branch?: string;
  /** Older locks are not the run's: they stay, and git names them. Absent: any may be the run's. */
  since?: Date;
  /** How long to wait for a running git; default 10 s. */
  patienceMs?: number;
}>;

/** Returns their names. Throws Failure('git') if a running git of this repository keeps one. */
export async function removeLocks(repo: Place, options: LockOptions): Promise<readonly string[]> {
  const found = findLocks(repo, options);
  if (found.length === 0) return [];
  // A git that is just starting shows neither its folder nor its name.
  await sleep(momentMs);
  const end = performance.now() + (options.patienceMs ?? 10_000);
  for (;;) {
    const left = found.filter((file) => changedMs(file) !== undefined);
    const holder = left.length === 0 ? undefined : findGit(repo);
    if (holder === undefined) {
      // A git that ended meanwhile removed its own.
      const dead = left.filter((file) => changedMs(file) !== undefined);
      for (const file of dead) removeFile(file);
      return dead.map((file) => nameOf(repo, file));
    }
    if (performance.now() > end) throw heldBy(left[0] ?? '', holder);
    await sleep(200);
  }
}

/** A git beside pawl holds a lock no longer than this. */
const momentMs = 1_000;

/** File timestamps advance every 1 to 10 ms, so a file may seem that much older. */
const tickMs = 20;

function findLocks(repo: Place, { branch, since }: LockOptions): readonly string[] {
  if (branch === undefined) return pawlLocks(repo);
  const own = ['index', 'HEAD'].map((name) => path.join(repo.gitDir, `${name}.lock`));
  const shared = ['config', 'packed-refs', `refs/heads/${branch}`, 'refs/stash'].map((name) =>
    path.join(repo.commonDir, `${name}.lock`),
  );
  const sinceMs = (since?.getTime() ?? 0) - tickMs;
  return [...own, ...shared, ...pawlLocks(repo)].filter((file) => {
    const changed = changedMs(file);
    return changed !== undefined && changed >= sinceMs;
  });
}

function pawlLocks({ commonDir }: Place): readonly string[] {
  const folder = path.join(commonDir, 'refs', 'pawl');
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.lock')).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** A running git that works here or was pointed here; any, where the system reports no working directories. */
function findGit(repo: Place): { pid: number; command: string } | undefined {
  const folders = [...new Set([repo.root, repo.gitDir, repo.commonDir, ...otherTrees(repo)])];
  for (const row of readTable()) {
    const command = row.command();
    if (!/^(\S*\/)?git(\.exe)?( |$)/.test(command)) continue;
    const isTold = folders.some((folder) => row.hasEntry(`GIT_DIR=${folder}`, true));
    if (isTold || standsIn(row.pid, folders)) return { pid: row.pid, command };
  }
  return undefined;
}

/** A git in another working tree may hold shared locks. */
function otherTrees({ commonDir }: Place): readonly string[] {
  const all = path.join(commonDir, 'worktrees');
  try {
    return readdirSync(all).flatMap((name) => {
      const gitDir = path.join(all, name);
      return [gitDir, path.dirname(readFileSync(path.join(gitDir, 'gitdir'), 'utf8').trim())];
    });
  } catch {
    return [];
  }
}

function standsIn(pid: number, folders: readonly string[]): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const cwd = realpathSync(`/proc/${pid}/cwd`);
    return folders.some((folder) => isAtOrBelow(cwd, folder));
  } catch {
    return false;
  }
}

function heldBy(file: string, { pid, command }: { pid: number; command: string }): Failure {
  return new Failure('git', `${file} is held by another git (process ${pid}: ${command.slice(0, 80)})`, {
    hint: 'Let it finish, e.g. close its editor, and run the same command again.',
  });
}

function changedMs(file: string): number | undefined {
  return orElse(() => lstatSync(file).mtimeMs, undefined);
}

function nameOf({ gitDir, commonDir }: Place, file: string): string {
  return path.relative(isBelow(file, gitDir) ? gitDir : commonDir, file);
}
