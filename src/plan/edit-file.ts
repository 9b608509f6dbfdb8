// A person's plan edit that waits, linted, in the run folder until the run's next round applies it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../disk.ts';
import { writeFileAtomic } from '../write-file.ts';

export function planEditFile(runFolder: string): string {
  return path.join(runFolder, 'plan.edit.md');
}

function editBaseFile(runFolder: string): string {
  return path.join(runFolder, 'plan.edit.base.md');
}

export function readPlanEdit(runFolder: string): string | undefined {
  return readIfThere(planEditFile(runFolder));
}

export function readPlanEditBase(runFolder: string): string | undefined {
  return readIfThere(editBaseFile(runFolder));
}

/** Replaces a waiting one. `base`: the plan when the edit began. */
export function writePlanEdit(runFolder: string, text: string, base?: string): void {
  if (base === undefined) removeFile(editBaseFile(runFolder));
  else writeFileAtomic(editBaseFile(runFolder), base, 0o600);
  writeFileAtomic(planEditFile(runFolder), text, 0o600);
}

export function removePlanEdit(runFolder: string): void {
  removeFile(planEditFile(runFolder));
  removeFile(editBaseFile(runFolder));
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
