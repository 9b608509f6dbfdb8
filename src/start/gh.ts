// Runs GitHub's `gh` (2.0 and later) with the person's login, non-interactively.
import { outerVariables } from '../agent/agents.ts';
import { childEnvironment } from '../process/environment.ts';
import { createSweep } from '../process/host-sweep.ts';
import { type ProgramEnd, type ProgramRequest, runProgram } from '../process/run-program.ts';
import { createSpawn } from '../process/spawn.ts';
import type { CliContext } from './context.ts';

/** Runs it to its end; a bad end is a value. */
export function runGh(
  { env, signal }: CliContext,
  request: Pick<ProgramRequest, 'args' | 'cwd' | 'timeoutMs' | 'stdin' | 'keepBytes'>,
): Promise<ProgramEnd> {
  const quiet = { GH_PROMPT_DISABLED: '1', NO_COLOR: '1' };
  return runProgram(
    { spawn: createSpawn(), sweep: createSweep() },
    { file: 'gh', ...request, signal, env: { ...childEnvironment(env, { drop: outerVariables }), ...quiet } },
  );
}
