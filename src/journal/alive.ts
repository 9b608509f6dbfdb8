// Whether the process that a lock file names still runs. Its id is not enough: ids are reused, and the file survives a
// reboot.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { orElse } from '../or-else.ts';
import { readMachineId } from '../process/machine.ts';
import { readStartTime } from '../process/process-table.ts';
import type { Identity } from './holder.ts';

/** `startTimeOf`: undefined if there is no such process. */
export type Machine = Pick<Identity, 'bootId' | 'host' | 'machine'> &
  Readonly<{ startTimeOf(pid: number): string | undefined }>;

/** A process of another machine counts as running, since nobody here can tell. */
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
