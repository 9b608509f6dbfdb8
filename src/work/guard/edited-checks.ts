// Finds what a session changed of the files that its own checks name or read: a reason against the round if they decide
// about the work, a question to the session if they may be the work itself. Restores nothing.
import {
  type ChangedDefinition,
  changedDefinitions,
  type Definition,
  nameDefinition,
} from '../../check/definition.ts';
import { defined } from '../../defined.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import { checksOf, readDefinitions, stateOf, type Work } from '../work.ts';
import { emitViolations, type Whose } from './violations.ts';

/** Both in words. `reds`: reasons against the round; `read`: why green checks may prove nothing. */
export type EditedChecks = Readonly<{ reds: readonly string[]; read: readonly string[] }>;

/**
 * Finds changes that the task may not make, or not unless the plan says so. What the checks themselves wrote does not
 * count.
 */
export function findEditedChecks(
  place: Place,
  work: Work,
  { whose, files }: Readonly<{ whose: Whose; files: readonly ChangedFile[] }>,
): EditedChecks {
  const touched = files.map(({ file }) => file);
  const named = checksOf(place, work.planSnapshot, work.task).map((check) => ({
    command: check.command,
    definitions: readDefinitions(place, [check], touched),
  }));
  const now = named.flatMap(({ definitions }) => definitions);
  const made = new Set(place.run.state().leftOut);
  const declared = { globs: work.task.files, matches: matchesAny, text: wordsOf(work.task) };
  const found = changedDefinitions(work.start.definitions, now, declared);
  const reds = found.filter(({ mayChange }) => !mayChange).map((one) => refuse(place, one, whose));
  const read = found
    .filter(({ mayChange, file }) => mayChange && !made.has(file))
    .map((one) => {
      const { command } = named.find(({ definitions }) => definitions.some(isSame(one))) ?? {};
      return { ...one, by: command === undefined ? '' : `“${command}”` };
    });
  const seen = { before: work.start.definitions, now, files };
  const violations = read.map(({ detail, by, ...one }) => {
    const byWhom = by === '' ? '' : `, read by ${by}`;
    const isNew = howChanged(one, seen) === 'is new';
    if (one.complaint !== undefined)
      return { act: 'edited-check', detail: `${one.complaint}${byWhom}`, response: 'reported' } as const;
    const told = one.key === undefined && !isNew ? `${one.file} was changed` : tell({ ...one, detail });
    return { act: 'edited-check', detail: `${told}${byWhom}`, response: 'reported' } as const;
  });
  emitViolations(place, { past: stateOf(place, work.task).violations, whose, violations });
  return { reds, read: read.map((one) => formatRead(one, seen)) };
}

function refuse(place: Place, changed: ChangedDefinition, whose: Whose): string {
  const detail = tell(changed);
  place.run.emit({ type: 'act-found', ...whose, act: 'edited-check', detail, response: 'refused' });
  return `${detail}, and it decides about this task: put it back as it was`;
}

/** The detail of a whole file begins with its name. */
function tell({ file, key, detail }: ChangedDefinition): string {
  return key === undefined && detail.startsWith(file)
    ? detail
    : `${nameDefinition({ file, ...defined({ key }) })}: ${detail}`;
}

/** The definitions before and now, and the files that the work changed. */
type Seen = Readonly<{
  before: readonly Definition[];
  now: readonly Definition[];
  files: readonly ChangedFile[];
}>;

function formatRead(one: ChangedDefinition & Readonly<{ by: string }>, seen: Seen): string {
  const by = one.by === '' ? 'a check' : one.by;
  if (one.complaint !== undefined) return `${one.complaint} (${by})`;
  return `${nameDefinition(one)} ${howChanged(one, seen)}, ${by} reads it, and the task does not name it`;
}

/** Files that a runner reads in any folder are not recorded until touched, so git tells how they were. */
function howChanged(one: Part, { before, now, files }: Seen): string {
  const isKnown = before.some(isSame(one));
  const status = isKnown ? undefined : files.find(({ file }) => file === one.file)?.status;
  if (status === 'deleted' || (isKnown && !now.some(isSame(one)))) return 'was removed';
  return isKnown || status === 'modified' || status === 'type-changed' ? 'was changed' : 'is new';
}

type Part = Pick<Definition, 'file' | 'key'>;

function isSame({ file, key }: Part): (other: Part) => boolean {
  return (other) => other.file === file && other.key === key;
}
