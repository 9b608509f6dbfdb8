// The command prefix that ties a program's life to pawl's.
import { spawnSync } from 'node:child_process';

/** The words before a command; none where the system has no such program. */
export type DeathPrefix = readonly string[];

/** What was found here: a system does not change its mind. */
let found: DeathPrefix | undefined;

/** `setpriv --pdeathsig TERM --` where util-linux has it, tried once; the signal comes when the thread that started the program ends. */
export function findDeathPrefix(): DeathPrefix {
  found ??= probe();
  return found;
}

function probe(): DeathPrefix {
  if (process.platform !== 'linux') return [];
  for (const file of [
    '/usr/bin/setpriv',
    '/bin/setpriv',
    '/usr/local/bin/setpriv',
    '/run/current-system/sw/bin/setpriv',
  ]) {
    const words = ['--pdeathsig', 'TERM', '--'];
    const tried = spawnSync(file, [...words, file, '--version'], { stdio: 'ignore', env: {} });
    if (tried.status === 0) return [file, ...words];
  }
  return [];
}
