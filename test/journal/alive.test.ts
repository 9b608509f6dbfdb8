// Whether the process that a lock names still runs, on each kind of system: with /proc, and with ps alone.
import { expect, it } from 'vitest';
import { describeSelf, isAlive, type Machine } from '../../src/journal/alive.ts';
import type { Identity } from '../../src/journal/holder.ts';

const linux: Machine = { host: 'desk', bootId: 'boot-1', startTimeOf: (pid) => ({ 7: '900' })[pid] };
const mac: Machine = {
  host: 'laptop.local',
  machine: 'UUID-1',
  bootId: '',
  startTimeOf: (pid) => ({ 7: 'Thu Nov 26 09:00:00 2026' })[pid],
};
const onLinux: Identity = { pid: 7, startTime: '900', bootId: 'boot-1', host: 'desk' };
const onMac: Identity = {
  ...{ pid: 7, startTime: 'Thu Nov 26 09:00:00 2026', bootId: '', host: 'laptop.local', machine: 'UUID-1' },
};

it.each<[string, Machine, Identity, boolean]>([
  ['linux: it runs', linux, onLinux, true],
  ['linux: it ended', linux, { ...onLinux, pid: 8 }, false],
  ['linux: its pid is another process', linux, { ...onLinux, startTime: '1' }, false],
  ['linux: started again', linux, { ...onLinux, bootId: 'boot-0' }, false],
  ['linux: another machine', linux, { ...onLinux, host: 'other' }, true],
  ['mac: it runs', mac, onMac, true],
  ['mac: it ended', mac, { ...onMac, pid: 8 }, false],
  ['mac: its pid is another process', mac, { ...onMac, startTime: 'Wed Nov 25 09:00:00 2026' }, false],
  ['mac: the host name changed, and it runs', mac, { ...onMac, host: 'dhcp-17' }, true],
  ['mac: the host name changed, and it ended', mac, { ...onMac, host: 'dhcp-17', pid: 8 }, false],
  ['mac: another machine', mac, { ...onMac, machine: 'UUID-2', pid: 8 }, true],
  ['a process whose start nobody could read', mac, { ...onMac, startTime: '' }, true],
])('%s', (_, machine, holder, alive) => {
  expect(isAlive(holder, machine)).toBe(alive);
});

it('this process is alive', () => {
  expect(isAlive(describeSelf())).toBe(true);
});
