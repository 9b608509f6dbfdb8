// One pawl per working tree: a lock file that names its holder, and that a dead holder cannot keep.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { createFile, makeFolder, removeFile } from '../effect.ts';
import { Failure } from '../failure.ts';

const holderSchema = z.object({
  pid: z.number(),
  /** Start of the process in ticks since boot: tells a reused pid. Empty where the system does not say. */
  startTime: z.string(),
  bootId: z.string(),
  host: z.string(),
  since: z.string(),
  run: z.string(),
});

/** Who holds a working tree. */
export type Holder = z.infer<typeof holderSchema>;

/** Takes the lock of a working tree; a live holder is a Failure that names it, a dead one is replaced. */
export function takeLock(gitDir: string, run: string, now: Date): Disposable & { holder: Holder } {
  const file = lockFile(gitDir);
  makeFolder(path.dirname(file), 0o700);
  const holder = { ...describeProcess(process.pid), since: now.toISOString(), run };
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      createFile(file, JSON.stringify(holder));
      return { holder, [Symbol.dispose]: () => removeFile(file) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = readHolder(gitDir);
    if (other && isAlive(other)) throw lockedBy(other);
    removeFile(file);
  }
  throw new Failure('locked', `cannot take the lock ${file}`);
}

/** The live holder of a working tree; undefined when nobody holds it. */
export function findHolder(gitDir: string): Holder | undefined {
  const holder = readHolder(gitDir);
  return holder && isAlive(holder) ? holder : undefined;
}

function lockedBy(other: Holder): Failure {
  return new Failure(
    'locked',
    `pawl (process ${other.pid}) works on this tree since ${other.since}, run ${other.run}`,
    {
      hint: `Wait for it, see \`pawl status\`, or end it with \`kill ${other.pid}\`: its work is kept and resumable.`,
    },
  );
}

function lockFile(gitDir: string): string {
  return path.join(gitDir, 'pawl', 'lock');
}

function readHolder(gitDir: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(lockFile(gitDir), 'utf8')));
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.host !== os.hostname()) return true;
  const now = describeProcess(holder.pid);
  if (holder.bootId !== now.bootId) return false;
  if (holder.startTime !== '' || now.startTime !== '') return holder.startTime === now.startTime;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function describeProcess(pid: number): Omit<Holder, 'since' | 'run'> {
  return { pid, startTime: startTimeOf(pid), bootId: bootId(), host: os.hostname() };
}

function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the command in parentheses may hold blanks.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
