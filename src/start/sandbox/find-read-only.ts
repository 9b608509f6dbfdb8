// Whether sessions that may change nothing can see the run's tree read-only on this machine: bubblewrap is tried once,
// before the run, with the run's own folders.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn, type Spawn } from '../../process/spawn.ts';
import { foldersOf, type ReadOnlyTree, readOnlyArgs, readOnlySpawn } from '../../sandbox/read-only.ts';
import type { CliContext } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { runQuietly } from '../run-quietly.ts';
import { findBwrap } from './bwrap.ts';

/**
 * How such sessions are started; undefined if bubblewrap is missing or cannot do it, or if the agent keeps files of its own
 * in the tree.
 */
export async function findReadOnlySpawn(context: CliContext, tree: ReadOnlyTree): Promise<Spawn | undefined> {
  const bwrap = context.platform === 'linux' ? findBwrap(context) : undefined;
  if (bwrap === undefined || keepsFilesIn(tree, context.env)) return undefined;
  const probe = { file: 'true', args: [], cwd: tree.commonDir };
  const { code } = await runQuietly(context, bwrap, readOnlyArgs(tree, probe));
  return code === 0 ? readOnlySpawn({ spawn: createSpawn(), sweep: createSweep() }, bwrap, tree) : undefined;
}

/**
 * Variables that name a folder in which programs keep files of their own: CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_STATE_HOME, …
 */
const namesOwnFolder = /^(?:HOME|TMPDIR|TMP|TEMP|XDG_RUNTIME_DIR|\w+_(?:HOME|CONFIG_DIR|DATA_DIR))$/;

/**
 * Whether a folder that an agent writes to is in the tree, through a variable or a link in the home: it could not work
 * then.
 */
export function keepsFilesIn(tree: ReadOnlyTree, env: CliContext['env']): boolean {
  const named = Object.entries(env).flatMap(([name, value]) => (namesOwnFolder.test(name) ? [value] : []));
  const home = env['HOME'] || '/';
  const own = [...named, ...linksOf(home), ...linksOf(path.join(home, '.config'))];
  const folders = foldersOf(tree).map(realOf);
  return own
    .filter(path.isAbsolute)
    .some((file) => folders.some((folder) => isAtOrBelow(realOf(file), folder)));
}

function linksOf(folder: string): readonly string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.map(({ name }) => path.join(folder, name));
  } catch {
    return [];
  }
}
