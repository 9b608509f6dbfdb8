// Puts back files of the run's tree that nobody was to change, and journals what a session must not have done.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import type { Violation } from '../../git/restore/violation.ts';
import { fewOf } from '../../git/run/names.ts';
import { changedEntries } from '../../git/tree/changes.ts';
import { withCopy } from '../../git/tree/index-file.ts';
import type { TreeChange } from '../../git/tree/raw-diff.ts';
import { findWorkState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { shellWord } from '../../shell-word.ts';
import { rescueOptions, saveRescuePoint } from '../rescue/rescue-point.ts';
import { withoutLive } from './live-files.ts';

/** `pawl`: no session, and no check. */
export type Who = 'reviewer' | 'planner' | 'check' | 'pawl';

/** Without the plan. */
export async function changesBetween(
  { repo, plan }: Place,
  from: string,
  to: string,
): Promise<readonly TreeChange[]> {
  return (await changedEntries(repo, from, to)).filter(({ file }) => file !== plan.name);
}

export async function putBack(
  place: Place,
  given: Readonly<{ who: Who; tree: string; back: readonly TreeChange[] }>,
): Promise<void> {
  const { who, tree } = given;
  const held = given.back.flatMap((one) => (one.was ? { ...one, oid: one.was.oid } : []));
  const back = await withoutLive(place, held);
  if (back.length === 0) return;
  const names = back.map(({ file }) => file);
  const kept = await saveRescuePoint(place, `what changed while ${nameOfWho(who)} worked`);
  const { index } = rescueOptions(place);
  const only = (file: string) => names.includes(file);
  await withCopy(index, 'back', (copy) => restoreTree(place.repo, { tree, index: copy, rescue: kept, only }));
  const later = back.filter(({ is }) => is !== undefined).map(({ file }) => file);
  const detail = `${fewOf(names)}, while ${nameOfWho(who)} worked${formatReturn(kept, later)}`;
  place.run.emit({ type: 'act-found', act: 'changed-tree', detail, response: 'put-back', kept });
}

function nameOfWho(who: Who): string {
  return who === 'pawl' ? 'no session' : `a ${who}`;
}

function formatReturn(kept: string, files: readonly string[]): string {
  if (files.length === 0) return '';
  const point = kept.slice(0, 12);
  if (files.length > 3) return `; \`pawl rescue show ${point}\` lists what was there`;
  const names = files.map((file) => shellWord(`:/${file}`)).join(' ');
  return `; \`git restore --source=${point} --worktree -- ${names}\` brings back what was there`;
}

export type Whose = Readonly<{ task: string; session?: number }>;

/** A task's, or the run's. */
export function violationsOf({ state }: Pick<Place['run'], 'state'>, task: string | undefined) {
  return findWorkState(state(), task)?.violations ?? state().violations;
}

/** One that is only reported is seen at each look, but journaled once per session. */
export function emitViolations(
  { run, home }: Pick<Place, 'run' | 'home'>,
  whose: Partial<Whose>,
  violations: readonly Violation[],
): void {
  const keyOf = ({ session, act, detail }: Pick<FactOf<'act-found'>, 'session' | 'act' | 'detail'>) =>
    `${session} ${act} ${detail}`;
  const told = new Set(
    violationsOf(run, whose.task)
      .filter(({ response }) => response === 'reported')
      .map(keyOf),
  );
  for (const { red: _, ...act } of violations) {
    const kept = act.kept === undefined ? undefined : (home?.homeOf(act.kept) ?? act.kept);
    const fact = { type: 'act-found', ...whose, ...act, ...defined({ kept }) } as const;
    if (act.response !== 'reported' || !told.has(keyOf(fact))) run.emit(fact);
  }
}
