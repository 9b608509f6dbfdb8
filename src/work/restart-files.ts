// What a restart needs besides the journal: evidence, and the open session's snapshots.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSnapshot, type Snapshot, writeSnapshot } from '../git/protect/snapshot.ts';
import { inRun } from '../journal/folder.ts';
import { orElse } from '../or-else.ts';
import type { Place } from '../place/place.ts';
import { writeFileAtomic } from '../write-file.ts';

export function writeEvidence(place: Place, task: string, evidence: string): void {
  writeFileAtomic(evidenceFile(place, task), evidence, 0o600);
}

export function readEvidence(place: Place, task: string): string {
  return readKept(evidenceFile(place, task)) ?? '';
}

/** The repository as the open session began. */
export function writeKeptSnapshot(place: Place, snapshot: Snapshot): void {
  writeFileAtomic(path.join(folderOf(place), 'snapshot'), writeSnapshot(snapshot, place.repo), 0o600);
}

/** Undefined before the first session. */
export function readKeptSnapshot(place: Place): Snapshot | undefined {
  const bytes = orElse(() => readFileSync(path.join(folderOf(place), 'snapshot')), undefined);
  return bytes && parseSnapshot(bytes, place.repo);
}

/** The plan's bytes as a session gets them, and before a close's ticks. */
export function writeKeptPlan(place: Place, text: string): void {
  if (keptPlan(place) !== text) writeFileAtomic(path.join(folderOf(place), inRun.plan), text, 0o600);
}

/** Undefined before the first session. */
export function keptPlan(place: Place): string | undefined {
  return readKept(path.join(folderOf(place), inRun.plan));
}

/** A lane's is below the run's. */
export function folderOf({ run, lane }: Pick<Place, 'run' | 'lane'>): string {
  return lane ? path.join(run.folder, 'lanes', String(lane.number)) : run.folder;
}

function evidenceFile(place: Place, task: string): string {
  return path.join(place.run.folder, `evidence-${task}.md`);
}

function readKept(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8'), undefined);
}
