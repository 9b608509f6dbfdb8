// Starts a dashboard beside a run, which it outlives.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBeside } from '../process/spawn.ts';
import type { CliContext } from '../start/context.ts';
import { findServed, type Remembered } from './web-file.ts';

/** Until it listens, milliseconds. */
const startMs = 10_000;

/** Undefined if it did not begin to listen. */
export async function ensureServed(context: CliContext): Promise<Remembered | undefined> {
  const known = findServed(context.folders);
  if (known) return known;
  const { nodePath, packageRoot, env, signal } = context;
  startBeside([nodePath, path.join(packageRoot, 'dist', 'pawl.js'), 'web', '--until-idle'], env);
  const until = performance.now() + startMs;
  while (performance.now() < until && !signal.aborted) {
    const served = findServed(context.folders);
    if (served) return served;
    await wait(50);
  }
  return undefined;
}
