// Finds what a person changed between two sessions and accepts or refuses it, so that it never counts as a session's work.

import { classify } from '../../check/classes.ts';
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { type Look, lookAtTree, newFiles } from '../../git/tree/look.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import { isPlanFile } from '../../plan/plan-name.ts';
import { findWork, isOver } from '../kind/fix.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../note-tree.ts';
import type { PlanSnapshot } from '../plan/plan-snapshot.ts';
import { writeTreeNow } from '../tree/work-tree.ts';
import { allChecks, callsOf, stateOf, type Work } from '../work.ts';

/** Tree and HEAD as they were left to the person, and the files there that the tree does not hold. */
type EditsLeft = Readonly<{ tree: string; head: string | undefined; refused: readonly string[] }>;

const mostNames = 12;

/** What a person changed, and the messages to emit once the run continues. */
type Accepted = Readonly<{ edits: Edits; told: readonly string[] }>;

export function leftTreeOf({ run: { options } }: Place): EditsLeft | undefined {
  const { leftTree: tree, leftHead: head, leftRefused: refused = [] } = options;
  return tree === undefined ? undefined : { tree, head, refused };
}

/**
 * Compares the tree with the one the last stop left, if any. Changes that a person has since committed or reverted are left
 * as they are; others are accepted only with `takeEdits`.
 */
export async function acceptTree(place: Place, left: EditsLeft | undefined): Promise<Accepted | undefined> {
  const edits = left && (await findEdits(place, left));
  if (!edits) return undefined;
  const { names, told } = await sortEdits(place, edits, left.head);
  if (names.length === 0) return { edits, told };
  const list = listNames(names);
  if (!place.run.options.takeEdits) {
    const take = commandAgain(place.run.state(), '--take-edits ');
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: `\`${take}\` makes them part of the open task, together with the agent’s unfinished work; or restore the files.`,
    });
  }
  return { edits, told: [...told, `taken into the open task: ${list}`] };
}

/**
 * Makes a person's changes during a rest part of the open task and reports them; returns all changes, including the plan's.
 */
export async function acceptEditsOfRest(place: Place, left: EditsLeft): Promise<Edits | undefined> {
  const edits = await findEdits(place, left);
  if (!edits) return undefined;
  const { names, told } = await sortEdits(place, edits, left.head);
  const taken =
    names.length === 0 ? [] : [`changed while paused, and taken into the open task: ${listNames(names)}`];
  emitHandEdits(place, [...told, ...taken]);
  return edits;
}

export function emitHandEdits({ run: { emit } }: Place, told: readonly string[]): void {
  for (const text of told) emit({ type: 'intervention', kind: 'hand-edit', text });
}

/** `beside`: changed files that are in no tree. */
type EditsFound = Edits & Readonly<{ beside: readonly string[] }>;

async function findEdits(place: Place, left: EditsLeft): Promise<EditsFound | undefined> {
  const look = await lookAtTree(place.repo, place.index);
  await noteOthersPlans(place, left.tree, look);
  const { tree, refused } = await writeTreeNow(place, look);
  const beside = refused.map(({ file }) => file).filter((file) => !left.refused.includes(file));
  if (tree === left.tree && beside.length === 0) return undefined;
  return { from: left.tree, to: tree, files: await changedNames(place.repo, left.tree, tree), beside };
}

/**
 * Sorts the changed files, apart from the plan: those that differ from HEAD are edits; those equal to HEAD, whether
 * committed or reverted, are only reported.
 */
async function sortEdits(
  place: Place,
  edits: EditsFound,
  head: string | undefined,
): Promise<Readonly<{ names: readonly string[]; told: readonly string[] }>> {
  const changed = edits.files.filter((file) => file !== place.plan.name);
  if (changed.length + edits.beside.length === 0) return { names: [], told: [] };
  const now = await readHeadCommit(place.repo);
  const dirty = new Set(await changedNames(place.repo, now, edits.to));
  const names = [...changed.filter((file) => dirty.has(file)), ...edits.beside];
  const asCommitted = changed.filter((file) => !dirty.has(file));
  const text =
    head === undefined || head === now
      ? `restored to the last commit by hand: ${listNames(asCommitted)}`
      : 'commits were made or removed by hand';
  return { names, told: asCommitted.length === 0 ? [] : [text] };
}

function listNames(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/**
 * Records the tree as a person's for every begun open task, so that it counts as no session's work, and accepts the edits
 * to what their checks name.
 */
export async function noteTreeOfPerson(
  place: WorkPlace,
  planSnapshot: PlanSnapshot,
  edits?: Edits,
): Promise<void> {
  const { tasks, fixes } = place.run.state();
  for (const { id, standing } of [...tasks.values(), ...fixes.values()]) {
    const work = standing === 'open' ? findWork(place, planSnapshot, id) : undefined;
    const { start } = work ? stateOf(place, work.task) : {};
    if (!work || start?.lane !== place.lane?.number || isOver(place, stateOf(place, work.task))) continue;
    if (edits) acceptDefinitionEdits(place, work, edits);
    await writeWorkTree(place, work, 'person');
  }
}

export function emitTickedByHand(place: Place, task: string): void {
  place.run.emit({ type: 'intervention', kind: 'tick', text: `task ${task} was ticked by hand`, task });
}

export function emitOpenedByHand(place: Place, task: string): void {
  place.run.emit({ type: 'task-reopened', task, by: 'hand', detail: 'its boxes are open again' });
  emitHandEdits(place, [`task ${task} was opened again`]);
}

/** Journals other plans that have appeared since the tree was left. */
async function noteOthersPlans(place: Place, left: string, look: Look): Promise<void> {
  const known = new Set([...untrackedIn(place), ...leftOutIn(place), place.plan.name]);
  const plans = newFiles(look).filter((file) => isPlanFile(file) && !known.has(file));
  if (plans.length === 0) return;
  // A plan that was already there at the stop may be a session's work.
  const held = await readBlobs(place.repo, left, plans);
  const files = plans.filter((file) => !held.has(file));
  if (files.length > 0) place.run.emit({ type: 'files-made', files, by: 'person' });
}

function acceptDefinitionEdits(place: Place, work: Work, { files, to }: Edits): void {
  const { files: now, recipes } = callsOf(place, allChecks(place, work.planSnapshot));
  const called = new Set([...work.start.called, ...work.start.calledByOthers, ...now, ...recipes]);
  const changed = files.filter((file) => called.has(file) || classify(file) === 'config');
  if (changed.length > 0)
    place.run.emit({ type: 'definitions-taken', task: work.task.id, changed, tree: to });
}

/** What a person changed while the run was stopped: the trees before and after, and the files that differ. */
type Edits = Readonly<{ from: string; to: string; files: readonly string[] }>;
