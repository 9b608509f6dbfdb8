// Opens a run's bubblewrap sandbox with what it needs of this machine. sandbox/process-sandbox.ts implements it.
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import { createProcessSandbox, type ProcessSandboxPlan } from '../../sandbox/process-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findSystemFolders } from '../../sandbox/system-folders.ts';
import type { CliContext } from '../context.ts';
import { findBwrap } from './bwrap.ts';
import { nameWireFolder, removeWireFolders, wireParent } from './wire-folder.ts';

/** What depends on the run. */
type OfRun = Pick<
  ProcessSandboxPlan,
  'trees' | 'surround' | 'env' | 'wanted' | 'isAgents' | 'ports' | 'onConnection' | 'handIn'
>;

/** Makes it, for the working tree of that git folder; nothing is made ready before it is opened. */
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
