// A container image for tests that holds nothing: programs of this machine are seen in it read-only. Made in a tenth of a
// second, on whatever engine runs here. It starts no container.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Name of the image. */
export const emptyImage = 'pawl-test:empty';

/** Makes the image; a few empty folders and links. */
export function makeEmptyImage(): void {
  const root = mkdtempSync(path.join(tmpdir(), 'pawl-image-'));
  try {
    for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true, mode: 0o755 });
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, path.join(root, name));
    writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    const tar = execFileSync('tar', ['-C', root, '-c', '--mode=755', '.'], { maxBuffer: 1 << 24 });
    const searchPath = 'ENV PATH=/opt/bin:/usr/local/bin:/usr/bin:/bin';
    execFileSync('docker', ['import', '--change', searchPath, '-', emptyImage], {
      input: tar,
      stdio: 'pipe',
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The engine mounts its own init into /sbin, which has to be a folder. */
const folders = 'usr etc tmp proc sys dev home/pawl sbin opt/bin opt/pawl var/tmp run root pawl work'.split(
  ' ',
);

/** Mounts, as settings, that make this machine's programs those of the image; Node is the one of the tests. */
export function hostPrograms(...more: readonly string[]): string {
  return JSON.stringify(['/usr', `${process.execPath}:/opt/bin/node`, ...more]);
}
