// Small files of a run folder that a restart needs beside the journal: the evidence of the last attempt, the repository's
// snapshot of the open session.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../disk.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { parseSnapshot, writeSnapshot } from '../git/snapshot-text.ts';
import { inRun } from '../journal/folder.ts';
import type { Context } from '../place/context.ts';
import { writeFileAtomic } from '../write-file.ts';

/** Keeps what the next attempt of a task should be told. */
export function keepEvidence(ctx: Context, task: string, evidence: string): void {
  writeFileAtomic(evidenceFile(ctx, task), evidence, 0o600);
}

/** What the last attempt of a task left for the next one; empty when there was none. */
export function readEvidence(ctx: Context, task: string): string {
  return readKept(evidenceFile(ctx, task)) ?? '';
}

/** Keeps what the repository looked like when the open session began. */
export function keepSnapshot(ctx: Context, snapshot: Snapshot): void {
  const swept = path.join(ctx.run.folder, inRun.swept);
  // It is of the session before. Its loss is no loss: nothing is open now.
  if (existsSync(swept)) removeFile(swept);
  writeFileAtomic(path.join(ctx.run.folder, 'snapshot.json'), writeSnapshot(snapshot, ctx.repo), 0o600);
}

/** The repository as it was when the last session began; undefined when none ever did. */
export function readKeptSnapshot(ctx: Context): Snapshot | undefined {
  const text = readKept(path.join(ctx.run.folder, 'snapshot.json'));
  return text === undefined ? undefined : parseSnapshot(text, ctx.repo);
}

/** Keeps the plan's bytes as a session is given them, and as they are before the ticks of a close. */
export function keepPlan(ctx: Context, text: string): void {
  if (keptPlan(ctx) !== text) writeFileAtomic(path.join(ctx.run.folder, inRun.plan), text, 0o600);
}

/** The plan's bytes as last kept; undefined before the first session. */
export function keptPlan(ctx: Context): string | undefined {
  return readKept(path.join(ctx.run.folder, inRun.plan));
}

function evidenceFile(ctx: Context, task: string): string {
  return path.join(ctx.run.folder, `evidence-${task}.md`);
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
