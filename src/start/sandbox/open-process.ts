// Opens a run's bubblewrap sandbox. sandbox/process-sandbox.ts implements it.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import { findSystemFolders } from '../../sandbox/bubblewrap.ts';
import { createProcessSandbox, type ProcessSandboxPlan } from '../../sandbox/process-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { CliContext } from '../context.ts';
import { findBwrap } from './find-read-only.ts';

type OfRun = Pick<
  ProcessSandboxPlan,
  'trees' | 'surround' | 'env' | 'wanted' | 'isAgents' | 'ports' | 'onConnection' | 'handIn'
>;

/** `gitDir`: of the tree. Prepares nothing before it is opened. */
export function openProcessSandbox(context: CliContext, gitDir: string, run: OfRun): Sandbox {
  const parent = wireParent(context);
  const folder = nameWireFolder(gitDir, { parent, random: context.random(4) });
  const sandbox = createProcessSandbox({
    ...run,
    host: { spawn: createSpawn(), sweep: createSweep() },
    bwrap: findBwrap(context) ?? 'bwrap',
    system: findSystemFolders(),
    node: context.nodePath,
    searchPath: context.env['PATH'] ?? '/usr/bin:/bin',
    socket: path.join(folder, 'wire'),
  });
  return {
    spawn: sandbox.spawn,
    sweep: sandbox.sweep,
    open: () => {
      makeFolder(parent);
      removeWireFolders(gitDir, { parent, uid: context.uid });
      makeFolder(folder, 0o700);
      return sandbox.open();
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      removeOwnFolder(folder);
    },
  };
}

// The socket's folder is short, because a socket path may have 107 bytes; private; removed with the run, or
// at the tree's next start.

type Parent = Readonly<{ parent: string }>;

export function nameWireFolder(
  gitDir: string,
  { parent, random }: Parent & Readonly<{ random: string }>,
): string {
  return path.join(parent, `${prefixOf(gitDir)}${random}`);
}

/** Of earlier starts; the caller holds the tree, so their pawl is dead. */
export function removeWireFolders(
  gitDir: string,
  { parent, uid }: Parent & Readonly<{ uid: number | undefined }>,
): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefixOf(gitDir))) continue;
    const folder = path.join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    // In a world-writable folder, anybody can make that name.
    if (found?.isDirectory() && (uid === undefined || found.uid === uid)) removeOwnFolder(folder);
  }
}

export function wireParent({ folders }: Pick<CliContext, 'folders'>): string {
  const short = [folders.runtime, tmpdir()].find((folder) => folder !== undefined && folder.length <= 60);
  return short ?? '/tmp';
}

function prefixOf(gitDir: string): string {
  return `pawl-sandbox-${createHash('sha256').update(gitDir).digest('hex').slice(0, 12)}-`;
}
