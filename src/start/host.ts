// This machine, where pawl starts and ends programs that no sandbox holds.
import { outerVariables } from '../agent/agents.ts';
import { childEnvironment } from '../process/environment.ts';
import { sweep } from '../process/host-sweep.ts';
import { spawn } from '../process/spawn.ts';
import type { CliContext } from './context.ts';

export const host = { spawn, sweep };

/** Without what an agent around pawl has set for its own children. */
export function hostEnvironment(
  { env }: Pick<CliContext, 'env'>,
  set: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  return childEnvironment(env, { drop: outerVariables, set });
}
