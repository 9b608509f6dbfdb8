// Whether the programs of checks exist: a check that cannot run would waste a night's attempts.
import path from 'node:path';
import { findAbsent } from '../check/absent.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { findLacking, type NeededProgram, programsOf } from '../plan/missing.ts';
import type { Plan } from '../plan/plan.ts';
import { readInside } from '../plan/read-inside.ts';
import { findProgram } from '../process/find-program.ts';
import { placeSharedChecks } from '../work/work.ts';
import type { CliContext } from './context.ts';

/** Notices about checks that cannot run yet; throws Failure('preflight') if one never can. */
export function judgeCheckPrograms(
  config: Config,
  planName: string,
  missing: readonly NeededProgram[],
): readonly string[] {
  const format = ({ check, program }: NeededProgram) => {
    const place = check.scope === 'config' ? 'checks of the settings' : `${planName}:${check.place.line}`;
    const [line = ''] = check.command.trim().split('\n');
    return `${place}: the check \`${line}\` cannot run: there is no ${program} ${placeOf(config)}`;
  };
  const never = missing.filter(({ isBrought }) => !isBrought);
  const [first] = never;
  if (first)
    throw new Failure('preflight', never.map(format).join('\n'), {
      hint: `${remedyFor(config, first.program)} If a task should install it, say so in the task; --set baseline=skip starts anyway.`,
    });
  return missing.map((one) => `${format(one)} yet; a task mentions it`);
}

export function programsToAsk(config: Config, plan: Plan): readonly NeededProgram[] {
  return config.baseline === 'skip' ? [] : programsOf(plan, placeSharedChecks(plan, config.checks));
}

/** Checks that lack a script, target or file. */
export function findWithoutTarget(config: Config, plan: Plan, root: string): readonly NeededProgram[] {
  if (config.baseline === 'skip') return [];
  return findLacking(plan, plan.checks, ({ command, cwd }) =>
    findAbsent(command, cwd, (file) => readInside(root, file)),
  );
}

/** The programs missing where checks run; those it cannot tell about are left out. */
export async function findNotThere(
  context: CliContext,
  { sandbox }: Config,
  { root, ...asked }: Readonly<{ root: string; programs: readonly string[] }>,
): Promise<readonly string[]> {
  const programs = [...new Set(asked.programs)];
  if (sandbox.kind === 'none') return programs.filter((program) => !canBeFound(context, program));
  // Loaded only for a sandbox.
  const { findMissingInside } = await import('./sandbox/look-inside.ts');
  return (await findMissingInside(context, { sandbox, root, programs })) ?? [];
}

/** For what runs checks on this machine alone. */
export function refuseSandbox({ sandbox: { kind } }: Pick<Config, 'sandbox'>, what: string): void {
  if (kind === 'none') return;
  throw new Failure('config', `${what} runs checks on this machine, but sandbox.kind is ${kind}`, {
    hint: 'If the checks may run on this machine, set PAWL_SANDBOX_KIND=none.',
  });
}

export function placeOf({ sandbox }: Pick<Config, 'sandbox'>): string {
  return { none: 'in PATH', docker: 'in the image of the sandbox', process: 'in the sandbox' }[sandbox.kind];
}

function remedyFor({ sandbox }: Config, program: string): string {
  return {
    none: `Install ${program}, or put its folder into PATH.`,
    docker: `Install ${program} in the image: sandbox.setup, or an image of your own (docker/README.md).`,
    process: `Install ${program} below /usr, or let the sandbox see its folder: sandbox.mounts.`,
  }[sandbox.kind];
}

/** True also if uncertain: relative folders on PATH, files that a shell reads first. */
function canBeFound({ env }: CliContext, program: string): boolean {
  const { PATH, BASH_ENV, ENV } = env;
  if (PATH === undefined || BASH_ENV || ENV || env[`BASH_FUNC_${program}%%`] !== undefined) return true;
  const folders = PATH.split(path.delimiter);
  return folders.some((folder) => !path.isAbsolute(folder)) || findProgram(program, PATH) !== undefined;
}
