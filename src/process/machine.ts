// Which machine this is where its name changes with the network: a Mac's hardware number.
import { execFileSync } from 'node:child_process';
import { orElse } from '../or-else.ts';

let known: string | undefined;

/** Undefined where the host name is enough, or it cannot be read. */
export function readMachineId(): string | undefined {
  if (process.platform !== 'darwin') return undefined;
  const args = ['-rd1', '-c', 'IOPlatformExpertDevice'];
  const read = () =>
    execFileSync('ioreg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 });
  known ??= /"IOPlatformUUID" = "([^"]+)"/.exec(orElse(read, ''))?.[1];
  return known;
}
