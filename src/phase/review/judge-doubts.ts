// What casts doubt on a fix's commit: it removed something, bent what decides, or was elsewhere. Pure, by file alone.
import path from 'node:path';
import { classify } from '../../check/classes.ts';
import { sayTamper } from '../../event/guard.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { FindingState } from '../../journal/fold-review.ts';
import type { TaskState } from '../../journal/state.ts';

type Doubt = Readonly<{ finding: string; text: string }>;

/** `notes`: what the commit takes from tests and checkers. */
export function judgeDoubts(
  fixed: readonly FindingState[],
  changes: readonly ChangedFile[],
  notes: TaskState['tamper'] = [],
): Doubt[] {
  const files = changes.flatMap((change) => doubtAbout(change) ?? []);
  const noted = notes.filter(({ file }) => !files.some((text) => text.includes(file)));
  const general = [...files, ...noted.map(sayTamper)];
  const names = new Set(changes.flatMap(({ file, from = file }) => [file, from]));
  return fixed.flatMap(({ id, finding: { file } }) => {
    // `.`: no single file, as for red CI.
    const isTouched = file === '.' || names.has(path.normalize(file));
    const texts = [...general, ...(isTouched ? [] : [`${file} was not touched`])];
    return texts.map((text) => ({ finding: id, text }));
  });
}

function doubtAbout({ file, from, status, deletions }: ChangedFile): string | undefined {
  if (status === 'deleted') return `${file} was removed`;
  const kind = classify(from ?? file);
  if (status === 'added') return undefined;
  if (kind === 'config') return `${file}, which decides how checks run, was changed`;
  const isTest = kind === 'test' || kind === 'support';
  return isTest && deletions > 0 ? `lines of the test ${file} were changed or removed` : undefined;
}
