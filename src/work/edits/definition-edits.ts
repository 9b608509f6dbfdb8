// Accepts a person's changes, made while the run was stopped, to what checks depend on, so that no agent is told to undo
// them. Earlier changes by an agent remain the agent's.
import path from 'node:path';
import { mergeDefinitions } from '../../check/definition.ts';
import { takeIgnoreRules } from '../../git/tree/hidden.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { othersChecks, readDecidingAt, readDefinitionsAt } from '../read-definitions-at.ts';
import { checksOf, readDefinitions, stateOf, type Work } from '../work.ts';

/** Journals the edits to what the work's checks name, and to what decides the checks of other tasks. */
export async function acceptDefinitionEdits(place: Place, work: Work, edits: Edits): Promise<void> {
  const checks = checksOf(place, work.planSnapshot, work.task);
  const left = await readDefinitionsAt(place, edits.from, checks);
  const now = readDefinitions(place, checks);
  const taken = mergeDefinitions({ start: work.start.definitions, left, now }, edits.files);
  const others = await mergeOthers(place, work, edits);
  const changed = [...new Set([...taken.changed, ...others.changed])];
  if (changed.length === 0) return;
  place.run.emit({
    type: 'definitions-taken',
    task: work.task.id,
    changed,
    definitions: [...taken.definitions],
    ...(others.changed.length === 0 ? {} : { others: [...others.definitions] }),
  });
}

async function mergeOthers(place: Place, work: Work, { from, to, files }: Edits) {
  const checks = othersChecks(place, work);
  const read = (tree: string) => readDecidingAt(place, tree, checks);
  const start = stateOf(place, work.task).start?.others ?? (await read(work.start.tree));
  return mergeDefinitions({ start, left: await read(from), now: await read(to) }, files);
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
