// Finds what a session changed of the files that decide other tasks' checks, closed or still to come. That may be the work
// itself, so the session is asked about it. Restores nothing.
import { changedDefinitions, nameDefinition } from '../../check/definition.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import { othersChecks, readDecidingAt } from '../read-definitions-at.ts';
import { stateOf, type Work } from '../work.ts';
import { emitViolations, type Whose } from './violations.ts';

/**
 * Reports each once; returns why green checks may prove nothing, in words. Files that did not exist when the work began may
 * be this task's to make.
 */
export async function noteOthersChecks(
  place: Place,
  work: Work,
  { tree, whose }: Readonly<{ tree: WrittenTree; whose: Whose }>,
): Promise<readonly string[]> {
  const { task, start } = work;
  const others = othersChecks(place, work);
  if (others.length === 0 || tree.tree === start.tree) return [];
  const before = stateOf(place, task).start?.others ?? (await readDecidingAt(place, start.tree, others));
  const now = await readDecidingAt(place, tree.tree, others);
  const own = new Set(start.definitions.map(nameDefinition));
  const known = new Set(before.map(nameDefinition).filter((name) => !own.has(name)));
  const made = new Set(place.run.state().leftOut);
  const declared = { globs: task.files, matches: matchesAny, text: wordsOf(task) };
  const changed = changedDefinitions(before, now, declared).filter(
    (one) => known.has(nameDefinition(one)) && !made.has(one.file),
  );
  if (changed.length === 0) return [];
  const names = await Promise.all(
    others.map(async (check) => ({
      check,
      names: (await readDecidingAt(place, start.tree, [check])).map(nameDefinition),
    })),
  );
  const told = changed.map((one) => {
    const by = names.find((found) => found.names.includes(nameDefinition(one)))?.check.command ?? '';
    const what = now.some((other) => nameDefinition(other) === nameDefinition(one))
      ? 'was changed'
      : 'was removed';
    return { text: `${nameDefinition(one)} ${what}`, by: `“${by}”, a check of another task` };
  });
  const violations = told.map(
    ({ text, by }) =>
      ({ act: 'edited-check', detail: `${text}, read by ${by}`, response: 'reported' }) as const,
  );
  emitViolations(place, { past: stateOf(place, task).violations, whose, violations });
  return told.map(({ text, by }) => `${text}: ${by}, reads it, and this task does not name it`);
}
