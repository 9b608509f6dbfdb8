// Starts a dashboard beside a run, which it outlives.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBeside } from '../process/spawn.ts';
import { type CliContext, printNote } from '../start/context.ts';
import { linkTo } from './address.ts';
import { findServed } from './web-file.ts';

/** Until it listens, milliseconds. */
const startMs = 10_000;

/** The run starts even if this fails. Its token is shown to a person, not to a log. */
export async function serveBeside(context: CliContext): Promise<void> {
  const { nodePath, packageRoot, folders, env, signal } = context;
  let served = findServed(folders);
  if (!served) startBeside([nodePath, path.join(packageRoot, 'dist', 'pawl.js'), 'web', '--until-idle'], env);
  for (const until = performance.now() + startMs; !served && performance.now() < until && !signal.aborted; ) {
    await wait(50);
    served = findServed(folders);
  }
  if (!served) printNote(context, 'The dashboard did not start; `pawl web` says why.');
  else if (context.isTty) printNote(context, `Dashboard: ${linkTo(served.address, served.port, served.act)}`);
  else printNote(context, `Dashboard: port ${served.port}; \`pawl web\` prints its link.`);
}
