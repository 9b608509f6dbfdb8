// Whether the programs of a plan's checks are there: a check that cannot run spends a night's attempts and proves nothing.
import path from 'node:path';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { configuredChecks } from '../phase/task/work.ts';
import { findMissingPrograms, firstProgram, type MissingProgram } from '../plan/missing.ts';
import type { Plan } from '../plan/plan.ts';
import { findProgram } from '../process/program.ts';
import type { CliContext } from './context.ts';

/** What a person should know of checks that cannot run yet. Failure('preflight') where one can never run: nothing was started. */
export function judgeCheckPrograms(
  context: CliContext,
  config: Config,
  { plan, planFile }: Readonly<{ plan: Plan; planFile: string }>,
): readonly string[] {
  const missing = findUnready(context, config, plan);
  const never = missing.filter(({ isBrought }) => !isBrought);
  const [first] = never;
  if (first) {
    const lines = never.map((one) => wordMissing(one, planFile)).join('\n');
    throw new Failure('preflight', lines, {
      hint: `Install ${first.program}, or put its folder into PATH. Where a task is to bring it, let the task say so; --baseline skip starts all the same.`,
    });
  }
  return missing.map((one) => `${wordMissing(one, planFile)} yet; a task speaks of it`);
}

/** The plan's checks whose program is not there; none where nobody asks before the run. */
export function findUnready(context: CliContext, config: Config, plan: Plan): readonly MissingProgram[] {
  if (config.baseline === 'skip') return [];
  const checks = plan.checks.length > 0 ? plan.checks : configuredChecks(config.checks);
  return findMissingPrograms(plan, checks, (program) => canBeFound(context, program));
}

/** The programs that commands begin with and that are not there. */
export function missingOf(context: CliContext, commands: readonly string[]): readonly string[] {
  const programs = new Set(commands.flatMap((command) => firstProgram(command) ?? []));
  return [...programs].filter((program) => !canBeFound(context, program));
}

function wordMissing({ check, program }: MissingProgram, planFile: string): string {
  const place =
    check.scope === 'config' ? 'checks of the settings' : `${path.basename(planFile)}:${check.place.line}`;
  const [line = ''] = check.command.trim().split('\n');
  return `${place}: the check \`${line}\` cannot run: there is no ${program} in PATH`;
}

/** True also where it is not sure: folders of PATH that depend on where a check runs, and what a shell reads in first. */
function canBeFound({ env }: CliContext, program: string): boolean {
  const { PATH, BASH_ENV, ENV } = env;
  if (PATH === undefined || BASH_ENV || ENV || env[`BASH_FUNC_${program}%%`] !== undefined) return true;
  const folders = PATH.split(path.delimiter);
  return folders.some((folder) => !path.isAbsolute(folder)) || findProgram(program, PATH) !== undefined;
}
