// Accepts a person's changes, made while the run was stopped, to the files that decide checks, so that no agent is told to
// undo them. Earlier changes by an agent remain the agent's.
import { classify } from '../../check/classes.ts';
import type { Place } from '../../place/place.ts';
import { allChecks, callsOf, type Work } from '../work.ts';

export function acceptDefinitionEdits(place: Place, work: Work, { files, to }: Edits): void {
  const { files: now, recipes } = callsOf(place, allChecks(place, work.planSnapshot));
  const called = new Set([...work.start.called, ...work.start.calledByOthers, ...now, ...recipes]);
  const changed = files.filter((file) => called.has(file) || classify(file) === 'config');
  if (changed.length > 0)
    place.run.emit({ type: 'definitions-taken', task: work.task.id, changed, tree: to });
}

/** What a person changed while the run was stopped: the trees before and after, and the files that differ. */
export type Edits = Readonly<{ from: string; to: string; files: readonly string[] }>;
