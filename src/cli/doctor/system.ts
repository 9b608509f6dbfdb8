// Checks the machine: Node, disk space, shell, and what could end pawl's processes.
import { existsSync, statfsSync } from 'node:fs';
import type { Checkup, DoctorEntry } from './entry.ts';
import { fail, makeEntry, ok, warn } from './entry.ts';

const testedNode = 24;
const lowBytes = 1024 ** 3;
const noBytes = 200 * 1024 ** 2;

export const systemEntries: readonly DoctorEntry[] = [
  makeEntry('node', ({ context }) => context.nodeVersion, judgeNode),
  makeEntry('shell', ({ has }) => ({ bash: has('bash'), sh: has('sh') }), judgeShell),
  makeEntry('disk', ({ context, place }) => freeBytes(place?.commonDir ?? context.cwd), judgeDisk),
  makeEntry(
    'parent death',
    ({ context, has }) => ({ platform: context.platform, setpriv: has('setpriv') }),
    judgeSetpriv,
  ),
  makeEntry(
    'processes',
    ({ context, has }) => ({
      platform: context.platform,
      proc: existsSync('/proc/self/environ'),
      ps: has('ps'),
    }),
    judgeProcesses,
  ),
];

function judgeNode(version: string): Checkup {
  const major = Number(version.split('.')[0]);
  if (major >= testedNode) return ok(`Node ${version}`);
  return warn(`Node ${version} works; pawl is developed on ${testedNode}`);
}

function judgeShell({ bash, sh }: Readonly<{ bash: boolean; sh: boolean }>): Checkup {
  if (bash) return ok('checks run with bash -eo pipefail');
  if (!sh)
    return fail('there is neither bash nor sh in PATH', 'Put a shell in PATH; checks are shell commands.');
  return warn(
    'no bash: checks run with sh -e, where a pipe hides the failure of all but its last command',
    'Install bash.',
  );
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Judges the free space on the disk that holds the repository. */
export function judgeDisk(bytes: number): Checkup {
  const free = `${(bytes / 1024 ** 3).toFixed(1)} GB free`;
  if (bytes < noBytes) return fail(free, 'Make room: a journal that cannot be written ends the run.');
  return bytes < lowBytes ? warn(free, 'Make room: sessions are recorded in full.') : ok(free);
}

function judgeSetpriv({
  platform,
  setpriv,
}: Readonly<{ platform: string; setpriv: boolean }>): Checkup | undefined {
  if (platform !== 'linux') return undefined;
  if (setpriv) return ok('setpriv ties sessions to pawl');
  return warn(
    'no setpriv: if pawl is killed, its watchdog ends sessions some seconds later',
    'Install util-linux.',
  );
}

function judgeProcesses(seen: Readonly<{ platform: string; proc: boolean; ps: boolean }>): Checkup {
  if (seen.platform === 'linux') {
    if (seen.proc) return ok('/proc shows what sessions leave behind');
    return warn('/proc is not readable: processes that sessions leave behind are not found', 'Mount /proc.');
  }
  return seen.ps
    ? ok('ps shows what sessions leave behind')
    : warn('no ps: what sessions leave behind is not found');
}
