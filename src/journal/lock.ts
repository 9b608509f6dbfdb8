// One pawl per working tree: a lock file that names its holder; a dead holder loses it. A planning dialogue locks only its
// own run, until it writes.

import { linkSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFolder, removeFile } from '../disk.ts';
import { effect } from '../effect.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { describeSelf, isAlive } from './alive.ts';
import { listRunFolders, type RunFolder } from './folder.ts';
import { type Holder, readHolder } from './holder.ts';
import { lockFile } from './run-files.ts';

/**
 * Takes the lock of a working tree. A live holder throws a Failure that names it; a dead one is replaced. `socket`: where
 * the holder can be reached; `start`: what it is waiting to start; `plan`, `tree`: shown to others.
 */
export function acquireLock(
  gitDir: string,
  run: string,
  now: Date,
  more: Readonly<{
    socket?: string | undefined;
    start?: Holder['start'];
    plan?: string;
    tree?: string;
  }> = {},
): Disposable & { holder: Holder } {
  const file = lockFile(gitDir);
  makeFolder(path.dirname(file), 0o700);
  const holder = {
    ...describeSelf(),
    since: now.toISOString(),
    run,
    ...more,
  };
  const lock = { holder, [Symbol.dispose]: () => removeFile(file) };
  for (let tries = 0; tries < 5; tries += 1) {
    if (createWhole(file, holder) || replaceDead(file, holder)) return lock;
  }
  throw new Failure('locked', `cannot take the lock ${file}`);
}

/**
 * Replaces a dead holder's file; false if another try is needed. A guard file lets only one process do so at a time:
 * between a look and a removal, another may have taken the lock.
 */
function replaceDead(file: string, holder: Holder): boolean {
  const other = readHolder(file);
  if (other && isAlive(other)) throw lockedBy(file, other);
  const guard = `${file}.taking`;
  if (!createWhole(guard, holder)) {
    const taker = readHolder(guard);
    if (taker && isAlive(taker)) throw lockedBy(file, taker);
    removeFile(guard);
    return false;
  }
  try {
    const still = readHolder(file);
    if (still && isAlive(still)) throw lockedBy(file, still);
    removeFile(file);
    return createWhole(file, holder);
  } finally {
    removeFile(guard);
  }
}

/** The live holder of a working tree; undefined if there is none. */
export function findHolder(gitDir: string): Holder | undefined {
  const holder = readHolder(lockFile(gitDir));
  return holder && isAlive(holder) ? holder : undefined;
}

/** The folder whose lock a run's pawl holds: its working tree's git folder, or a dialogue's own folder. */
export function lockedFolder(
  { folder, started }: Pick<RunFolder, 'folder' | 'started'>,
  gitDir: string,
): string {
  return started.planning ? folder : gitDir;
}

/**
 * The live pawls of a repository, each with the folder whose lock it holds (its working tree's, or its dialogue's); that of
 * `first` first.
 */
export function findHolders(
  commonDir: string,
  first = commonDir,
): readonly Readonly<{ gitDir: string; holder: Holder }>[] {
  const trees = new Set([first, commonDir, ...linkedTrees(commonDir), ...listRunFolders(commonDir)]);
  return [...trees].flatMap((gitDir) => {
    const holder = findHolder(gitDir);
    return holder ? [{ gitDir, holder }] : [];
  });
}

function linkedTrees(commonDir: string): readonly string[] {
  const folder = path.join(commonDir, 'worktrees');
  return orElse(() => readdirSync(folder).map((name) => path.join(folder, name)), []);
}

/** The refusal of a run whose plan another live pawl works on. */
export function heldByTwin({ pid, since, tree }: Holder, plan: string): Failure {
  const where = tree === undefined ? '' : ` in ${tree}`;
  return new Failure('locked', `pawl (process ${pid}) has been working on ${plan} since ${since}${where}`, {
    hint: 'Wait for it, see `pawl status`, or end it with `pawl stop`: its work is kept and resumable.',
  });
}

function lockedBy(file: string, other: Holder): Failure {
  const { start } = other;
  if (start && other.host === os.hostname()) {
    const text = `pawl (process ${other.pid}) waits in this tree to start ${start.plans.join(', ')} at ${start.at}`;
    return new Failure('locked', text, {
      hint: 'From any terminal, `pawl continue` starts it now and `pawl stop` cancels it.',
    });
  }
  const hint =
    other.host === os.hostname()
      ? 'Wait for it (`pawl status`), end it with `pawl stop` (its work is kept and resumable), or run beside it in a separate working tree: --worktree.'
      : `It runs on ${other.host}, so pawl cannot tell whether it is still running; if it is not, remove ${file}.`;
  const what =
    other.tree === undefined
      ? `run ${other.run} since ${other.since}`
      : `this tree since ${other.since}, run ${other.run}, in ${other.tree}`;
  return new Failure('locked', `pawl (process ${other.pid}) works on ${what}`, { hint });
}

/** Creates a file that appears with its whole content at once; false if it already exists. */
function createWhole(file: string, holder: Holder): boolean {
  const content = JSON.stringify(holder);
  const draft = `${file}.${process.pid}`;
  try {
    effect('file', `create ${path.basename(file)}`, () => {
      writeFileSync(draft, content, { mode: 0o600 });
      try {
        linkSync(draft, file);
      } catch (error) {
        // On a file system without hard links the file is empty for a moment.
        if (!withoutLinks.has(codeOf(error))) throw error;
        writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
      } finally {
        unlinkSync(draft);
      }
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
