// Whether the process that a lock file names is still running. A process id is not enough: ids are reused, and a lock file
// survives a reboot.

import { readFileSync } from 'node:fs';
import os from 'node:os';
import { orElse } from '../or-else.ts';

/** What distinguishes a process from every other one, on this machine and elsewhere. */
export type Identity = Readonly<{
  pid: number;
  /** Start of the process in ticks since boot, to detect a reused pid. Empty where the system does not report it. */
  startTime: string;
  bootId: string;
  host: string;
}>;

/**
 * Whether the process that a lock file names is still running. A process of another machine counts as running, since nobody
 * here can tell.
 */
export function isAlive(holder: Identity): boolean {
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

/** This process, as its own lock file names it. */
export function describeSelf(): Identity {
  return describeProcess(process.pid);
}

function describeProcess(pid: number): Identity {
  return { pid, startTime: startTimeOf(pid), bootId: bootId(), host: os.hostname() };
}

function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // State and start time are fields 3 and 22; the command in parentheses may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, and only waits to be reaped.
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function bootId(): string {
  return orElse(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), '');
}
