// One pawl per working tree: a lock file names its holder. A planning dialogue locks only its own run, until it writes.
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../digest.ts';
import { makeFolder, removeFile } from '../disk.ts';
import { effect } from '../effect.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { describeSelf, isAlive, isHere } from './alive.ts';
import { listRunFolders, type RunFolder } from './folder.ts';
import { type Holder, parseHolder, readLockText } from './holder.ts';
import { lockFile, otherGitDirs } from './run-files.ts';

/** Throws a Failure naming a live holder; replaces a dead one. `plan`, `tree`: shown to others. */
export function acquireLock(
  gitDir: string,
  run: string,
  now: Date,
  more: Pick<Holder, 'socket' | 'plan' | 'tree'> = {},
): Disposable & { holder: Holder } {
  const file = lockFile(gitDir);
  makeFolder(path.dirname(file), 0o700);
  const holder = { ...describeSelf(), since: now.toISOString(), run, ...more };
  const lock = { holder, [Symbol.dispose]: () => removeFile(file) };
  for (let tries = 0; tries < 5; tries += 1) if (take(file, holder)) return lock;
  throw new Failure('locked', `cannot take the lock ${file}`);
}

/**
 * False if another try is needed. Between a look and a removal another may take the lock, so only the creator of the
 * guard of exactly that dead holder removes its file; a dead guard is replaced likewise.
 */
function take(file: string, holder: Holder): boolean {
  if (createWhole(file, holder)) return true;
  const text = readLockText(file);
  if (text === undefined) return false;
  const other = parseHolder(text);
  if (other && isAlive(other)) throw lockedBy(file, other);
  const guard = `${file}.${digestText(text, 12)}`;
  if (!take(guard, holder)) return false;
  try {
    if (readLockText(file) !== text) return false;
    removeFile(file);
    return createWhole(file, holder);
  } finally {
    removeFile(guard);
  }
}

/** The live holder; undefined if there is none. Throws Failure('locked') if the lock is unreadable. */
export function findHolder(gitDir: string): Holder | undefined {
  const text = readLockText(lockFile(gitDir));
  const holder = text === undefined ? undefined : parseHolder(text);
  return holder && isAlive(holder) ? holder : undefined;
}

/** Which pawl works in the tree, if one does. It comes before any other refusal: its changes are no person's to stash. */
export function findLocked(gitDir: string): Failure | undefined {
  const holder = findHolder(gitDir);
  return holder && lockedBy(lockFile(gitDir), holder);
}

/** A run's pawl locks its working tree's git folder, or a dialogue's own folder. */
export function lockedFolder(
  { folder, started }: Pick<RunFolder, 'folder' | 'started'>,
  gitDir: string,
): string {
  return started.planning ? folder : gitDir;
}

/** The live pawls, each with its locked folder; that of `first` first. */
export function findHolders(
  commonDir: string,
  first = commonDir,
): readonly Readonly<{ gitDir: string; holder: Holder }>[] {
  const trees = new Set([first, commonDir, ...otherGitDirs(commonDir), ...listRunFolders(commonDir)]);
  return [...trees].flatMap((gitDir) => {
    // Whoever may not read a lock can tell its holder nothing.
    const holder = orElse(() => findHolder(gitDir), undefined);
    return holder ? [{ gitDir, holder }] : [];
  });
}

export function heldByTwin({ pid, since, tree }: Holder, plan: string): Failure {
  const where = tree === undefined ? '' : ` in ${tree}`;
  return new Failure('locked', `pawl (process ${pid}) has been working on ${plan} since ${since}${where}`, {
    hint: 'Wait for it, see `pawl status`, or end it with `pawl stop`: its work is kept and resumable.',
  });
}

function lockedBy(file: string, other: Holder): Failure {
  const hint = isHere(other)
    ? `Wait for it (\`pawl status\`), end it with \`pawl stop\` (its work is kept and resumable), or run beside it in a ground of its own: --worktree. If process ${other.pid} is not pawl, remove ${file}.`
    : `It runs on ${other.host}, so pawl cannot tell whether it is still running; if it is not, remove ${file}.`;
  const what =
    other.tree === undefined
      ? `run ${other.run} since ${other.since}`
      : `this tree since ${other.since}, run ${other.run}, in ${other.tree}`;
  return new Failure('locked', `pawl (process ${other.pid}) works on ${what}`, { hint });
}

/** The file appears with its whole content; false if it exists. */
function createWhole(file: string, holder: Holder): boolean {
  const content = JSON.stringify(holder);
  const draft = `${file}.${process.pid}`;
  try {
    effect('file', `create ${path.basename(file)}`, () => {
      writeFileSync(draft, content, { mode: 0o600 });
      try {
        linkSync(draft, file);
      } catch (error) {
        // Without hard links the file is empty for a moment.
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
