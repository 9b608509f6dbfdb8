// Opens a run's bubblewrap sandbox with what it needs of this machine. sandbox/process-sandbox.ts implements it.
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { findProgram } from '../../process/program.ts';
import { createSpawn } from '../../process/spawn.ts';
import { probeArgs } from '../../sandbox/bwrap-args.ts';
import { createProcessSandbox, type ProcessSandboxPlan } from '../../sandbox/process-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findSystemFolders } from '../../sandbox/system-folders.ts';
import type { CliContext } from '../context.ts';
import { runQuietly } from '../run-quietly.ts';
import { nameWireFolder, removeWireFolders, wireParent } from './wire-folder.ts';

/** What depends on the run. */
type OfRun = Pick<
  ProcessSandboxPlan,
  'root' | 'surround' | 'env' | 'wanted' | 'isAgents' | 'ports' | 'onConnection' | 'handIn'
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

/** Throws a Failure that says why there can be no sandbox of bubblewrap here. */
export async function judgeBwrap(context: CliContext): Promise<void> {
  if (context.platform !== 'linux')
    throw new Failure('environment', '--sandbox process needs bubblewrap, which runs on Linux only', {
      hint: 'Use --sandbox docker.',
    });
  const bwrap = findBwrap(context);
  if (bwrap === undefined)
    throw new Failure('environment', 'bubblewrap was not found, and the run needs it for its sandbox', {
      hint: 'Install it (the package is called bubblewrap), or use --sandbox docker.',
    });
  const { code, stderr } = await runQuietly(context, bwrap, probeArgs);
  if (code === 0) return;
  const why = stderr.trim().split('\n')[0] || `it ended with ${code ?? 'a signal'}`;
  throw new Failure('environment', `bubblewrap cannot create a sandbox here: ${why}`, {
    hint: 'Some systems allow user namespaces only for programs with an AppArmor profile, and a container may forbid them. Use --sandbox docker.',
  });
}

/** Path of bubblewrap; undefined where there is none. */
export function findBwrap({ env }: CliContext): string | undefined {
  return findProgram('bwrap', env['PATH']);
}
