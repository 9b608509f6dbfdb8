// Small files in a run folder that a restart needs besides the journal: the evidence of the last attempt, and the snapshots
// of the open session.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Snapshot } from '../git/protect/snapshot.ts';
import { parseSnapshot, writeSnapshot } from '../git/protect/snapshot-text.ts';
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

/** Saves what the repository looked like when the open session began. */
export function writeKeptSnapshot(place: Place, snapshot: Snapshot): void {
  writeFileAtomic(path.join(folderOf(place), 'snapshot.json'), writeSnapshot(snapshot, place.repo), 0o600);
}

/** The repository as it was when the last session began; undefined if none ever did. */
export function readKeptSnapshot(place: Place): Snapshot | undefined {
  const text = readKept(path.join(folderOf(place), 'snapshot.json'));
  return text === undefined ? undefined : parseSnapshot(text, place.repo);
}

/** Saves the plan's bytes as a session gets them, and as they are before the ticks of a close. */
export function writeKeptPlan(place: Place, text: string): void {
  if (keptPlan(place) !== text) writeFileAtomic(path.join(folderOf(place), inRun.plan), text, 0o600);
}

/** The plan's bytes as last saved; undefined before the first session. */
export function keptPlan(place: Place): string | undefined {
  return readKept(path.join(folderOf(place), inRun.plan));
}

/** Where a place keeps what a restart needs: for a lane, below the run's folder. */
export function folderOf({ run, lane }: Pick<Place, 'run' | 'lane'>): string {
  return lane ? path.join(run.folder, 'lanes', String(lane.number)) : run.folder;
}

function evidenceFile(place: Place, task: string): string {
  return path.join(place.run.folder, `evidence-${task}.md`);
}

function readKept(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8'), undefined);
}
