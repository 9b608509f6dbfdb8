// This machine, where pawl starts and ends programs that no sandbox holds.
import { outerVariables } from '../agent/agents.ts';
import { childEnvironment } from '../process/environment.ts';
import { createSweep } from '../process/host-sweep.ts';
import { createSpawn } from '../process/spawn.ts';
import type { CliContext } from './context.ts';

export const host = { spawn: createSpawn(), sweep: createSweep() };

/** Without what an agent around pawl has set for its own children. */
export function hostEnvironment(
  { env }: Pick<CliContext, 'env'>,
  set: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  return childEnvironment(env, { drop: outerVariables, set });
}
