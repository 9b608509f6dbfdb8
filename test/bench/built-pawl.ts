// pawl as it is shipped, built from the sources into a folder of its own, so that no other build comes between.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');

/** A built pawl: `command` is the file that `node` starts. Removes itself at the end of its scope. */
export type BuiltPawl = AsyncDisposable & Readonly<{ command: string }>;

/** Builds pawl with what is shipped beside it. */
export async function buildPawl(): Promise<BuiltPawl> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pawl-built-'));
  const tsdown = path.join(root, 'node_modules/.bin/tsdown');
  const dist = path.join(folder, 'dist');
  await promisify(execFile)(tsdown, ['--config', 'test/tsdown.config.ts', '--out-dir', dist], { cwd: root });
  for (const name of ['package.json', 'templates'])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  return {
    command: path.join(dist, 'pawl.js'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
