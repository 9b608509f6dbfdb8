// Runs checks and tells the journal; what new files they leave is remembered and never committed.
import path from 'node:path';
import type { CheckRun } from '../../check/check-run.ts';
import { runCheck } from '../../check/checks.ts';
import { tellingLine } from '../../check/telling.ts';
import type { FactOf } from '../../event.ts';
import { type Look, lookAtTree, newFiles } from '../../git/look.ts';
import { inRun } from '../../journal/folder.ts';
import type { Context } from '../../place/context.ts';
import type { Task } from '../../plan/plan.ts';
import type { PlacedCheck } from '../work.ts';

type When = FactOf<'check-ended'>['when'];

/** What came of checks, and how the working tree looks after them; `after` is undefined when none ran and none had looked. */
export type ChecksEnd = Readonly<{ runs: readonly CheckRun[]; after: Look | undefined }>;

/** Runs all checks in order, none skipped after a failure. Stops early only when the run is interrupted. `look`: how the working tree is before them; default: it is looked at. */
export async function runChecks(
  ctx: Context,
  checks: readonly PlacedCheck[],
  options: { when: When; task?: Task; look?: Look | undefined },
): Promise<ChecksEnd> {
  if (checks.length === 0 || ctx.signal.aborted) return { runs: [], after: options.look };
  const before = options.look ?? (await lookAtTree(ctx.repo, ctx.index));
  const runs: CheckRun[] = [];
  for (const check of checks) {
    if (ctx.signal.aborted) break;
    runs.push(await runOneCheck(ctx, check, options));
  }
  if (runs.length === 0) return { runs, after: before };
  const after = await lookAtTree(ctx.repo, ctx.index);
  rememberMade(ctx, before, after);
  return { runs, after };
}

/** True when an interruption kept checks from running, or ended one before its end: together they prove nothing. */
export function isCutShort(ctx: Context, checks: readonly PlacedCheck[], runs: readonly CheckRun[]): boolean {
  if (!ctx.signal.aborted) return false;
  return runs.length < checks.length || runs.some((run) => run.result === 'interrupted');
}

/** Those that count against a task: not green, and not excused by the plan. */
export function redOnes(runs: readonly CheckRun[]): readonly CheckRun[] {
  return runs.filter((run) => run.result !== 'green' && !run.check.knownRed);
}

/** One fingerprint for all that is red; undefined when nothing is. */
export function fingerprintOf(runs: readonly CheckRun[]): string | undefined {
  const red = redOnes(runs).map((run) => `${run.check.id}:${run.fingerprint ?? run.result}`);
  return red.length > 0 ? red.sort().join(' ') : undefined;
}

/** Runs one check and tells of it. `root`: the tree it runs in, default the run's. `timeoutMs`: default `clocks.check`. */
export async function runOneCheck(
  ctx: Context,
  check: PlacedCheck,
  options: { when: When; task?: Task; root?: string; timeoutMs?: number },
): Promise<CheckRun> {
  const number = ctx.state().checks + 1;
  const name = `${String(number).padStart(3, '0')}-${check.id.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.log`;
  const mark = `PAWL_CHECK=${ctx.run.folder}/${number}` as const;
  const common = {
    check: check.id,
    command: check.command,
    when: options.when,
    ...(options.task ? { task: options.task.id } : {}),
  };
  ctx.emit({ type: 'check-started', ...common });
  const run = await runCheck(
    {
      spawn: ctx.spawn,
      sweep: ctx.sweep,
      shell: ctx.shell,
      env: ctx.env,
      root: options.root ?? ctx.repo.root,
      mark,
      timeoutMs: options.timeoutMs ?? ctx.config.clocks.check,
      signal: ctx.signal,
    },
    check,
    { cwd: check.cwd, log: path.join(ctx.run.folder, inRun.checks, name) },
  );
  if (run.leftovers.length > 0) {
    ctx.emit({
      type: 'leftovers-ended',
      processes: run.leftovers.map(({ pid, command }) => ({ pid, command })),
    });
  }
  ctx.emit({ type: 'check-ended', ...common, ...resultOf(ctx, run), log: `${inRun.checks}/${name}` });
  return run;
}

/** What a check came to, as its fact tells it. */
function resultOf(
  ctx: Context,
  run: CheckRun,
): Omit<FactOf<'check-ended'>, 'type' | 'check' | 'command' | 'when' | 'log'> {
  const { result, exitCode, durationMs, fingerprint, check } = run;
  const says = result === 'green' ? undefined : tellingLine(run.output);
  return {
    ...{ result, exitCode, durationMs },
    ...(fingerprint === undefined ? {} : { fingerprint, alreadyRed: wasRed(ctx, run) }),
    ...(says === undefined ? {} : { says }),
    ...(check.knownRed ? { knownRed: true } : {}),
  };
}

/** Whether a red check failed in the same way before the work. */
export function wasRed(ctx: Context, run: CheckRun): boolean {
  return ctx
    .state()
    .baseline.some((past) => past.check === run.check.id && past.fingerprint === run.fingerprint);
}

/** What was there before the checks is the session's or the user's, whether or not it was taken into the tree. */
function rememberMade(ctx: Context, before: Look, after: Look): void {
  const known = new Set([...newFiles(before), ...ctx.state().leftOut]);
  const made = newFiles(after).filter((file) => !known.has(file));
  if (made.length > 0) ctx.emit({ type: 'files-made', files: made });
}
