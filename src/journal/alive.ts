// Whether the process that a lock file names is still running. A process id is not enough: ids are reused, and a lock file
// survives a reboot.

import { readFileSync } from 'node:fs';
import os from 'node:os';
import { orElse } from '../or-else.ts';
import { readMachineId } from '../process/machine.ts';
import { readStartTime } from '../process/process-table.ts';

/** What distinguishes a process from every other one, on this machine and elsewhere. */
export type Identity = Readonly<{
  pid: number;
  /** When it started, as the system tells it, to detect a reused pid; empty if it could not be read. */
  startTime: string;
  /** Empty where the system has none: start times are dates there, which no reboot repeats. */
  bootId: string;
  host: string;
  /** Where the host name changes with the network. */
  machine?: string | undefined;
}>;

/** What this machine says about itself and its processes; `startTimeOf`: undefined if there is no such process. */
export type Machine = Pick<Identity, 'bootId' | 'host' | 'machine'> &
  Readonly<{ startTimeOf(pid: number): string | undefined }>;

/**
 * Whether the process that a lock file names is still running. A process of another machine counts as running, since nobody
 * here can tell.
 */
export function isAlive(holder: Identity, here: Machine = thisMachine()): boolean {
  if (!isHere(holder, here)) return true;
  if (holder.bootId !== here.bootId) return false;
  const startTime = here.startTimeOf(holder.pid);
  return startTime !== undefined && (holder.startTime === '' || holder.startTime === startTime);
}

export function isHere(holder: Identity, here: Pick<Machine, 'host' | 'machine'> = thisMachine()): boolean {
  return holder.machine === undefined || here.machine === undefined
    ? holder.host === here.host
    : holder.machine === here.machine;
}

/** This process, as its own lock file names it. */
export function describeSelf(): Identity {
  const { startTimeOf, ...here } = thisMachine();
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? '', ...here };
}

function thisMachine(): Machine {
  const machine = readMachineId();
  return {
    host: os.hostname(),
    bootId: orElse(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), ''),
    startTimeOf: readStartTime,
    ...(machine === undefined ? {} : { machine }),
  };
}
