// A person's edit that waits for the running plan: `pawl edit` leaves it in the run folder, the run takes it at its next
// round. It judges no content: it was linted when it was left.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile, writeFileAtomic } from '../effect.ts';

/** Where an edit waits in a run folder. */
export function planEditFile(runFolder: string): string {
  return path.join(runFolder, 'plan.edit.md');
}

/** The edit that waits; undefined when there is none. */
export function readPlanEdit(runFolder: string): string | undefined {
  try {
    return readFileSync(planEditFile(runFolder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Leaves an edit for the run; a waiting one is replaced. */
export function writePlanEdit(runFolder: string, text: string): void {
  writeFileAtomic(planEditFile(runFolder), text, 0o600);
}

/** Removes the edit that waited, once it was taken or refused. */
export function removePlanEdit(runFolder: string): void {
  removeFile(planEditFile(runFolder));
}
