// What changed in a cut-off session's tree while pawl was not running: by a person, or by what outlived it.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { changedNames } from '../../git/tree/changes.ts';
import { sessionFile } from '../../journal/folder.ts';
import { findWorkState, type SessionState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { writeTreeNow } from '../../work/tree/work-tree.ts';

/** After pawl's death its watchdog gives a session this long to end. */
const graceMs = 10_000;

/** `isAll`: nothing else has changed since pawl last looked. */
export type LateEdits = Readonly<{ files: readonly string[]; isAll: boolean }>;

/** Call it before anything in the tree is put back. A removed file counts by the time of its folder. */
export async function findLateEdits(
  place: Place,
  { started: { session, task } }: Pick<SessionState, 'started'>,
): Promise<LateEdits> {
  const { run, repo } = place;
  const watchedMs = changedMs(`${sessionFile(run.folder, session)}.ndjson`, 'mtimeMs');
  const known = findWorkState(run.state(), task);
  const last = known?.tree ?? known?.start?.tree;
  if (watchedMs === undefined || last === undefined) return { files: [], isAll: false };
  const { tree } = await writeTreeNow(place);
  const changed = (await changedNames(repo, last, tree)).filter((file) => file !== place.plan.name);
  const files = changed.filter((file) => (timeOf(repo.root, file) ?? 0) > watchedMs + graceMs);
  return { files, isAll: files.length > 0 && files.length === changed.length };
}

function timeOf(root: string, file: string): number | undefined {
  const at = path.join(root, file);
  return changedMs(at, 'ctimeMs') ?? (file === '.' ? undefined : timeOf(root, path.dirname(file)));
}

function changedMs(file: string, which: 'mtimeMs' | 'ctimeMs'): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.[which];
}
