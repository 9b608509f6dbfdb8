// Which process a lock file names, and whether it still runs. A process id is not enough: ids are reused, and a lock file
// outlives a reboot.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { z } from 'zod';

const holderSchema = z.object({
  pid: z.number(),
  /** Start of the process in ticks since boot: tells a reused pid. Empty where the system does not say. */
  startTime: z.string(),
  bootId: z.string(),
  host: z.string(),
  since: z.string(),
  run: z.string(),
  /** Its plan, by the name it has in the journal. */
  plan: z.string().optional(),
  /** The working tree it holds. */
  tree: z.string().optional(),
  /** Path of the socket it listens at for commands; absent: it takes none. */
  socket: z.string().optional(),
  /** It only waits for this instant (ISO 8601, UTC) to start these plans; nothing has begun. Absent: it works. */
  start: z.object({ at: z.string(), plans: z.array(z.string()) }).optional(),
});

/** Who holds a working tree. */
export type Holder = z.infer<typeof holderSchema>;

/** What tells a process from every other one, on this machine and elsewhere. */
type Identity = Pick<Holder, 'pid' | 'startTime' | 'bootId' | 'host'>;

/** Whom a lock file names; undefined where there is none, and where it is no lock file of pawl's. */
export function readHolder(file: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whether the process that a lock file names still runs; one of another machine counts as running, since nobody here can tell. */
export function isAlive(holder: Holder): boolean {
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
    // State and start are fields 3 and 22; the command in parentheses may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only nobody has asked how.
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
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
