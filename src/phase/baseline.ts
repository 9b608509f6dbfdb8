// The plan's checks on the untouched tree, so that earlier reds are known; and those at the end.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findAbsent } from '../check/absent.ts';
import type { CheckRun } from '../check/check-run.ts';
import { tellingLine } from '../check/telling-line.ts';
import { findUninstalled, type Uninstalled } from '../check/uninstalled.ts';
import type { EndReason } from '../event/run.ts';
import { Failure } from '../failure.ts';
import type { Place } from '../place/place.ts';
import { speaksOf, wordsOf } from '../plan/missing.ts';
import { type Check, isClosed, type Plan, type Task } from '../plan/plan.ts';
import { readInside } from '../plan/read-inside.ts';
import { runSettledChecks } from '../work/guard/check-writes.ts';
import { whileStill } from '../work/guard/standstill.ts';
import { readPlanAt } from '../work/plan/plan-snapshot.ts';
import { notClean, reasonOfInterruption } from '../work/stopped.ts';
import { redOnes, runChecks } from '../work/tree/run-checks.ts';
import { checksAtEnd, checksOf } from '../work/work.ts';
import { hasBegunElsewhere, tryMachine } from './carry/try-machine.ts';
import { tryGround } from './ground/try-ground.ts';

export async function runBaseline(place: Place): Promise<void> {
  const { baseline } = place.run.config;
  if (baseline === 'skip' || place.run.state().phasesEnded.includes('baseline')) return;
  if (hasBegunElsewhere(place.run.state())) return tryMachine(place);
  const plan = readPlanAt(place);
  const checks = checksOf(place, plan);
  if (checks.length > 0) place.run.emit({ type: 'phase', phase: 'baseline', state: 'started' });
  const { runs } = await runSettledChecks(place, checks, { when: 'baseline' });
  const red = redOnes(runs);
  if (place.run.signal.aborted) return;
  await tryGround(place, { red, plan });
  const knownRed = baseline === 'auto' ? await settleRed(place, plan, red) : [];
  const names = red.map(({ check }) => check.command).join('; ');
  const reason = red.length === 0 ? 'nothing is red before the first task' : `already red: ${names}`;
  const excused = knownRed.length === 0 ? {} : { knownRed: [...knownRed] };
  place.run.emit({ type: 'phase', phase: 'baseline', state: 'ended', reason, ...excused });
}

/**
 * No task closes over a red check: a person decides, or the run stops, unless a task names it. Returns those excused.
 */
async function settleRed(place: Place, plan: Plan, found: readonly CheckRun[]): Promise<readonly string[]> {
  refuseUnrunnable(place, plan, found);
  const open = plan.tasks.filter((task) => !isClosed(task));
  // What is absent is named by a task, or it would have been refused.
  const isAwaited = ({ check }: CheckRun) => absentOf(place, check) !== undefined;
  const left = found.filter(
    (run) => !open.some((task) => isOfTask(run, task)) && !isBrought(run, open) && !isAwaited(run),
  );
  const commands = left.map(({ check }) => check.command);
  if (commands.length === 0) return [];
  const answer = (await place.run.options.askRed?.(commands)) ?? 'stop';
  if (answer === 'stop')
    throw new Failure('preflight', `red before the first task: ${commands.join('; ')}`, {
      hint: 'Make them green first, name them in the task that does, mark them `(known red)` in the plan, or start anyway: `--set baseline=warn`.',
    });
  return answer === 'known red' ? commands : [];
}

function isOfTask({ check: { command, name = command } }: CheckRun, task: Task): boolean {
  if (task.checks.some((own) => own.command === command)) return true;
  return [command, name].some((one) => speaksOf(wordsOf(task), one));
}

/** Such a check would use up every attempt, unless a task may bring what is missing. */
function refuseUnrunnable(place: Place, plan: Plan, red: readonly CheckRun[]): void {
  const uninstalled = findUninstalled((name) => existsSync(path.join(place.repo.root, name)));
  const open = plan.tasks.filter((task) => !isClosed(task));
  for (const run of red) {
    const { check, exitCode, output, result } = run;
    const code = exitCode === null ? '' : ` (exit ${exitCode})`;
    const absent = absentOf(place, check);
    const isMissing = result === 'could-not-run' && (uninstalled !== undefined || !isBrought(run, open));
    const texts = [plan.overview, ...open.map(wordsOf)];
    const isAbsent = absent !== undefined && !texts.some((text) => speaksOf(text, absent.name));
    if (!isMissing && !isAbsent) continue;
    const says = isMissing ? tellingLine(output) : absent?.says;
    const what = `the check \`${check.command}\` cannot run here${code}${says === undefined ? '' : `: ${says}`}`;
    const remedy = isMissing
      ? formatRemedy(place, uninstalled)
      : 'Correct the check, or say in a task that it adds what is missing.';
    const hint = `${remedy} The same command then continues; \`--set baseline=warn\` starts anyway.`;
    throw new Failure('environment', what, { hint });
  }
}

function absentOf({ repo }: Place, { command, cwd }: Check) {
  return findAbsent(command, cwd, (file) => readInside(repo.root, file));
}

/** An open task mentions what the check complains about or begins with. */
function isBrought({ check, output, result }: CheckRun, open: readonly Task[]): boolean {
  if (result !== 'could-not-run') return false;
  const complaint = /([\w@./+-]+): (?:command )?not found|([\w@./+-]+): No such file/.exec(output);
  const word = complaint?.[1] ?? complaint?.[2] ?? check.command.trim().split(/\s/)[0] ?? '';
  const name = path.basename(word);
  return name !== '' && open.some((task) => speaksOf(wordsOf(task), name));
}

function formatRemedy(place: Place, uninstalled: Uninstalled | undefined): string {
  if (!uninstalled) return 'Install what it needs, or fix its command.';
  const { lock, folder, command } = uninstalled;
  const why = `${lock} is there, and ${folder} is not: `;
  if (place.run.state().worktree?.path !== place.repo.root) return `${why}${command}.`;
  return `${why}a run’s own ground is made ready by \`worktree.setup: ${command}\` in .pawl/config.yaml, or here by \`--set worktree.setup="${command}"\`.`;
}

export async function checkAtEnd(place: Place): Promise<readonly EndReason[]> {
  const checks = checksAtEnd(readPlanAt(place));
  // Later phases began on green checks, and check their own changes.
  const { review, fixes } = place.run.state();
  if (checks.length === 0 || review.stages.size > 0 || fixes.size > 0) return [];
  place.run.emit({ type: 'phase', phase: 'at-end', state: 'started' });
  const { runs } = await whileStill(place, 'check', () => runChecks(place, checks, { when: 'at-end' }));
  const red = redOnes(runs);
  if (place.run.signal.aborted) return [reasonOfInterruption(place)];
  const reason = red.length === 0 ? 'green' : `${red.length} red`;
  place.run.emit({ type: 'phase', phase: 'at-end', state: 'ended', reason });
  return red.map((run) => notClean('red-at-end', `red at the end: ${run.check.command}`));
}
