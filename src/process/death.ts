// The command before a command that ties a program to pawl's death. It starts nothing but its own probe.
import { spawnSync } from 'node:child_process';

/** The words before a command; none where the system has no such program. */
export type DeathPrefix = readonly string[];

/** `setpriv --pdeathsig TERM --` where util-linux has it; the signal comes when the thread that started the program ends. */
export function probeDeathPrefix(): DeathPrefix {
  if (process.platform !== 'linux') return [];
  for (const file of [
    '/usr/bin/setpriv',
    '/bin/setpriv',
    '/usr/local/bin/setpriv',
    '/run/current-system/sw/bin/setpriv',
  ]) {
    const words = ['--pdeathsig', 'TERM', '--'];
    const probe = spawnSync(file, [...words, file, '--version'], { stdio: 'ignore', env: {} });
    if (probe.status === 0) return [file, ...words];
  }
  return [];
}
