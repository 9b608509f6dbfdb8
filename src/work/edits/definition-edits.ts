// Accepts a person's changes, made while the run was stopped, to the files that decide checks, so that no agent is told to
// undo them. Earlier changes by an agent remain the agent's.
import path from 'node:path';
import { classify } from '../../check/classes.ts';
import { takeIgnoreRules } from '../../git/tree/hidden.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { allChecks, callsOf, type Work } from '../work.ts';

export function acceptDefinitionEdits(place: Place, work: Work, { files, to }: Edits): void {
  const { files: now, recipes } = callsOf(place, allChecks(place, work.planSnapshot));
  const called = new Set([...work.start.called, ...work.start.calledByOthers, ...now, ...recipes]);
  const changed = files.filter((file) => called.has(file) || classify(file) === 'config');
  if (changed.length > 0)
    place.run.emit({ type: 'definitions-taken', task: work.task.id, changed, tree: to });
}

/**
 * Adds ignore rules that a person wrote to those that held when the run started: what they hide is not hidden by an agent.
 */
export function acceptIgnoreRules({ repo, run }: Place, { files }: Edits): void {
  for (const file of files)
    if (path.basename(file) === '.gitignore') takeIgnoreRules(repo, path.join(run.folder, inRun.rules), file);
}

/** What a person changed while the run was stopped: the trees before and after, and the files that differ. */
export type Edits = Readonly<{ from: string; to: string; files: readonly string[] }>;
