// One piece of work: what its attempts share, and the checks that decide.
import { type Called, findCalled } from '../check/called-files.ts';
import { isConfirmed } from '../event/severity.ts';
import { type FindingState, findRound } from '../journal/fold-review.ts';
import { findWorkState } from '../journal/state.ts';
import type { Start, TaskState } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import type { Check, Plan, Task } from '../plan/plan.ts';
import { readInside } from '../plan/read-inside.ts';
import { folderIn } from '../plan/settings.ts';

export type Work = Readonly<{ task: Task; plan: Plan; start: Start }> & WorkKind;

export type WorkKind = Readonly<{ kind: 'task' } | { kind: 'fix'; fix: Fix } | { kind: 'finalize' }>;

export type Fix = Readonly<{ stage: string; round: number; findings: readonly FindingState[] }>;

/**
 * Ticked, continued, re-planned, and proved by its own checks. Other work may change nothing, and then ends
 * well without commit or checks.
 */
export function isOfPlan({ kind }: Pick<Work, 'kind'>): boolean {
  return kind === 'task';
}

export function checksOf(place: Place, plan: Plan, task?: Task): readonly Check[] {
  const { state, config } = place.run;
  const excused = state().knownRed;
  const shared = placeSharedChecks(plan, config.checks).map((check) =>
    excused.includes(place.run.mask(check.command)) ? { ...check, knownRed: true } : check,
  );
  // In a sandbox, hooks run like checks, where agents run.
  const hooks = (place.sandbox?.hookChecks ?? []).map((command, at) => plainCheck(`hook:${at + 1}`, command));
  const own = task ? ownChecksOf(task) : [];
  const proofs = task ? listProofs(place, task.id).map(proofCheck) : [];
  const all = [...shared, ...own, ...hooks, ...proofs];
  // Of tasks landed since the work began, which must not break them.
  const landed = task ? (findWorkState(state(), task.id)?.lane?.landed ?? []) : [];
  const theirs = plan.tasks.filter(({ id }) => landed.includes(id)).flatMap(ownChecksOf);
  return [...all, ...newChecks(theirs, all)].filter((check) => !check.atEnd);
}

/** Each command of a folder once, and none that is known. */
export function newChecks(checks: readonly Check[], known: readonly Check[] = []): readonly Check[] {
  const nameOf = ({ command, cwd }: Check) => `${cwd}\n${command}`;
  const names = new Set(known.map(nameOf));
  return checks.filter((check) => !names.has(nameOf(check)) && names.add(nameOf(check)));
}

export function listProofs({ run }: Place, id: string): readonly FindingState[] {
  const { fixes, review } = run.state();
  const fix = fixes.get(id)?.fix;
  if (!fix) return [];
  const { answers = [] } = findRound(review, fix.stage, fix.round) ?? {};
  const rejected = new Set(answers.flatMap(({ answer, finding }) => (answer === 'rejected' ? finding : [])));
  return fix.findings
    .flatMap((finding) => review.findings.get(finding) ?? [])
    .filter((one) => isConfirmed(one) && !rejected.has(one.id));
}

export function proofCheck({ id, proof }: Pick<FindingState, 'id' | 'proof'>): Check {
  return plainCheck(`proof:${id}`, proof.command);
}

export function isProof({ id }: Pick<Check, 'id'>): boolean {
  return id.startsWith('proof:');
}

/** It can reject a task but not prove one. */
export function isHookCheck({ id }: Pick<Check, 'id'>): boolean {
  return id.startsWith('hook:');
}

export function ownChecksOf({ checks }: Pick<Task, 'checks'>): readonly Check[] {
  return checks.filter((check) => !check.atEnd);
}

export function checksAtEnd(plan: Plan): readonly Check[] {
  return [...plan.checks, ...plan.tasks.flatMap(({ checks }) => checks)].filter((check) => check.atEnd);
}

export function allChecks(place: Place, plan: Plan): readonly Check[] {
  const own = plan.tasks.flatMap(ownChecksOf);
  return newChecks([...checksOf(place, plan), ...own, ...checksAtEnd(plan)]);
}

export function placeSharedChecks(plan: Plan, configured: readonly string[]): readonly Check[] {
  const cwd = folderIn(plan);
  return plan.checks.length > 0 ? plan.checks : configuredChecks(configured, cwd);
}

export function callsOf(
  { repo: { root } }: Readonly<{ repo: Pick<Place['repo'], 'root'> }>,
  checks: readonly Pick<Check, 'command' | 'cwd'>[],
): Called {
  const read = (file: string) => readInside(root, file);
  const calls = checks.map(({ command, cwd }) => findCalled(command, cwd, read));
  const all = (part: keyof Called) => [...new Set(calls.flatMap((one) => one[part]))];
  return { files: all('files'), recipes: all('recipes'), programs: all('programs') };
}

export function stateOf(place: Place, task: Pick<Task, 'id'>): TaskState {
  const state = findWorkState(place.run.state(), task.id);
  if (!state) throw new Error(`task ${task.id} is not in the journal`);
  return state;
}

export function configuredChecks(commands: readonly string[], cwd = '.'): readonly Check[] {
  return commands.map((command, index) => ({ ...plainCheck(`config:${index + 1}`, command), cwd }));
}

/** In no plan. */
export function plainCheck(id: string, command: string): Check {
  const place = { line: 0, column: 0, offset: 0 };
  return { id, scope: 'config', command, atEnd: false, knownRed: false, cwd: '.', place };
}
