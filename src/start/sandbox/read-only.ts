// Whether sessions that may change nothing can see the run's tree read-only on this machine: asked of bubblewrap once.

import type { Spawn } from '../../process/spawn.ts';
import { createSpawn } from '../../process/spawn.ts';
import { type ReadOnlyTree, readOnlyArgs, readOnlySpawn } from '../../sandbox/read-only.ts';
import type { CliContext } from '../context.ts';
import { runQuietly } from '../run-quietly.ts';
import { findBwrap } from './bwrap.ts';

/** How such sessions are started; undefined where bubblewrap is missing, or may not do it. */
export async function findReadOnlySpawn(
  context: CliContext,
): Promise<((tree: ReadOnlyTree) => Spawn) | undefined> {
  const bwrap = context.platform === 'linux' ? findBwrap(context) : undefined;
  if (bwrap === undefined) return undefined;
  const { code } = await runQuietly(context, bwrap, [...readOnlyArgs(['/tmp']), '--', 'true']);
  return code === 0 ? (tree) => readOnlySpawn(createSpawn(), bwrap, tree) : undefined;
}
