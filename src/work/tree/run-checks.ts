// Runs and journals checks, and prepares grounds for them. New files that they leave are recorded and never committed.
import path from 'node:path';
import type { CheckRun } from '../../check/check-run.ts';
import { type CheckDeps, runCheck } from '../../check/checks.ts';
import { tellingLine } from '../../check/telling-line.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import { type Look, lookAtTree, newFiles } from '../../git/tree/look.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { inKeptGround } from '../../ground/in-ground.ts';
import type { Ground } from '../../ground/make.ts';
import { inRun } from '../../journal/folder.ts';
import { leftOutIn, type Place } from '../../place/place.ts';
import { readPlanFile } from '../../plan/file.ts';
import type { Check, Task } from '../../plan/plan.ts';
import { openTrials } from '../../proof/ground-trials.ts';
import { CutShort, type Trials } from '../../proof/lab.ts';
import { refuseMoved } from '../on-branch.ts';
import { restorePlan } from '../plan/plan-snapshot.ts';
import { plainCheck } from '../work.ts';

type When = FactOf<'check-ended'>['when'];

export type ChecksOptions = Readonly<{ when: When; task?: Task; look?: Look | undefined }>;

/** `after` is undefined if no check ran and no look was given. `cutShort`: interrupted, so that `runs` prove nothing. */
export type ChecksEnd = Readonly<{ runs: readonly CheckRun[]; after: Look | undefined; cutShort: boolean }>;

/**
 * All in order, even after one fails, until interrupted. Throws if HEAD moves while no session works. `look`:
 * the tree before; default: looked at here.
 */
export async function runChecks(
  place: Place,
  checks: readonly Check[],
  options: ChecksOptions,
): Promise<ChecksEnd> {
  if (checks.length === 0 || place.run.signal.aborted)
    return { runs: [], after: options.look, cutShort: checks.length > 0 };
  const before = options.look ?? (await lookAtTree(place.repo, place.index));
  const { task } = options;
  // Of boxes that a work's checks tick, a later look would think that a person has.
  const plan = task && readPlanFile(place.plan.file);
  let after = before;
  const runs: CheckRun[] = [];
  for (const check of checks) {
    if (place.run.signal.aborted) break;
    runs.push(await runOneCheck(place, check, options));
    after = await lookAtTree(place.repo, place.index);
    // Another branch has another plan.
    refuseMoved(place, { before: before.head, now: after.head }, `the check \`${check.command}\``);
    if (task && plan !== undefined && restorePlan(place, plan, { task: task.id }))
      after = await lookAtTree(place.repo, place.index);
  }
  // What was there before is the session's or user's, in the tree or not.
  const known = new Set([...newFiles(before), ...leftOutIn(place)]);
  const made = newFiles(after).filter((file) => !known.has(file));
  if (made.length > 0) place.run.emit({ type: 'files-made', files: made });
  const cutShort = runs.length < checks.length || runs.some(({ result }) => result === 'interrupted');
  return { runs, after, cutShort };
}

export function redOnes(runs: readonly CheckRun[]): readonly CheckRun[] {
  return runs.filter((run) => run.result !== 'green' && !run.check.knownRed);
}

export function fingerprintOf(runs: readonly CheckRun[]): string | undefined {
  const red = redOnes(runs).map((run) => `${run.check.id}:${run.fingerprint ?? run.result}`);
  return red.length > 0 ? red.sort().join(' ') : undefined;
}

/** `ground`: default the run's tree. `timeoutMs`: default `clocks.check`. */
export async function runOneCheck(
  place: Place,
  check: Check,
  options: { when: When; task?: Task; ground?: Pick<Ground, 'root' | 'env'>; timeoutMs?: number },
): Promise<CheckRun> {
  const number = place.run.state().checks + 1;
  const name = `${String(number).padStart(3, '0')}-${check.id.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.log`;
  const { id, command } = check;
  const common = { check: id, command, when: options.when, ...defined({ task: options.task?.id }) };
  place.run.emit({ type: 'check-started', ...common });
  const deps = { ...depsIn(place, options.ground), ...defined({ timeoutMs: options.timeoutMs }) };
  const run = await runCheck(deps, check, path.join(place.run.folder, inRun.checks, name));
  const processes = run.leftovers.map(({ pid, command }) => ({ pid, command }));
  if (processes.length > 0) place.run.emit({ type: 'leftovers-ended', processes });
  place.run.emit({ type: 'check-ended', ...common, ...resultOf(place, run), log: `${inRun.checks}/${name}` });
  return run;
}

function depsIn(place: Place, ground?: Pick<Ground, 'root' | 'env'>): CheckDeps {
  const { config, signal } = place.run;
  const at = { root: ground?.root ?? place.repo.root, env: ground?.env(place.env) ?? place.env };
  return { ...place, ...at, timeoutMs: config.clocks.check, signal };
}

function resultOf(place: Place, run: CheckRun) {
  const { result, exitCode, durationMs, fingerprint, check, tests } = run;
  const says = result === 'green' ? undefined : tellingLine(run.output);
  const alreadyRed = fingerprint === undefined ? undefined : wasRed(place, run);
  const more = { fingerprint, alreadyRed, says, tests, name: check.name };
  return { result, exitCode, durationMs, ...defined({ ...more, knownRed: check.knownRed || undefined }) };
}

export function wasRed({ run: { state } }: Place, { check, fingerprint }: CheckRun): boolean {
  return state().baseline.some((past) => past.check === check.id && past.fingerprint === fingerprint);
}

/** Returns why it failed, else undefined. */
export async function setUpGround(place: Place, ground: Ground): Promise<string | undefined> {
  const { setup } = place.run.config.worktree;
  if (setup === undefined) return undefined;
  const { result } = await runOneCheck(place, plainCheck('config:1', setup), { when: 'setup', ground });
  return result === 'green' ? undefined : `worktree.setup failed in a fresh checkout: ${setup}`;
}

type Tried = Readonly<{ commit: string; checks: readonly Check[]; task?: string | undefined }>;

/** A commit of a tree not committed yet; no ref names it. */
export function commitOf({ repo }: Place, { tree, look }: WrittenTree): Promise<string> {
  const parents = look.head.commit === undefined ? [] : [look.head.commit];
  return commitPoint(repo, tree, { parents, message: 'a tree as it would be committed\n' });
}

/** Undefined: no ground could be prepared, or interrupted. */
export async function inTrials<R>(
  place: Place,
  { commit, checks, task }: Tried,
  act: (trials: Trials) => Promise<R>,
): Promise<R | undefined> {
  const { run } = place;
  let isFirstRed: boolean | undefined;
  const actIn = async (ground: Ground): Promise<R | undefined> => {
    if ((await setUpGround(place, ground)) !== undefined) return undefined;
    const name = `prove-${(task ?? 'end').replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${run.random(4)}`;
    const trials = await openTrials({
      repo: ground.repo,
      head: commit,
      checks,
      deps: depsIn(place, ground),
      log: path.join(run.folder, inRun.checks, `${name}.log`),
      onEnd: (_what, { result }) => {
        isFirstRed ??= result !== 'green';
      },
    });
    try {
      return await act(trials);
    } catch (error) {
      if (error instanceof CutShort) return undefined;
      throw error;
    }
  };
  return inKeptGround(place, { use: 'prove', commit }, { act: actIn, isDoubtful: () => isFirstRed ?? true });
}
