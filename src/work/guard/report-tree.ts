// Compares the tree of a report-only review. Such a review saves nothing in the repository, so what a reviewer changed
// cannot be restored, only named, with how to get committed files back.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fewOf } from '../../git/run/names.ts';
import { lookAtTree } from '../../git/tree/look.ts';
import { changedUserFiles, stampUserFiles } from '../../git/tree/user-files.ts';
import type { Place } from '../../place/place.ts';
import { writeFileAtomic } from '../../write-file.ts';

/** Records which files differ from HEAD, and their content. */
export async function recordReportTree(place: Place): Promise<void> {
  const files = await listDifferent(place);
  stampUserFiles(place.repo, stampsOf(place), files);
  writeFileAtomic(recordOf(place), JSON.stringify(files), 0o600);
}

/** A file that changed since it was recorded; `mine`: it differed from HEAD before. */
export type ReportChange = Readonly<{ file: string; mine: boolean }>;

/** Files that changed since they were recorded. */
export async function findReportChanges(place: Place): Promise<readonly ReportChange[]> {
  const known = new Set(readRecord(place) ?? (await listDifferent(place)));
  const added = (await listDifferent(place)).filter((file) => !known.has(file));
  return [
    ...[...changedUserFiles(place.repo, stampsOf(place)).keys()].map((file) => ({ file, mine: true })),
    ...added.map((file) => ({ file, mine: false })),
  ];
}

/** Words which files changed and how to restore each kind: git would overwrite a person's uncommitted changes too. */
export function formatReportChanges(changes: readonly ReportChange[]): string {
  const [mine, clean] = [true, false].map((kind) =>
    changes.filter((change) => change.mine === kind).map(({ file }) => file),
  );
  return [
    ...(clean?.length ? [`${fewOf(clean)}; git restore brings back what is committed`] : []),
    ...(mine?.length
      ? [`${fewOf(mine)} had uncommitted changes, which git restore would lose: compare in your editor`]
      : []),
  ].join('; ');
}

async function listDifferent(place: Place): Promise<readonly string[]> {
  return (await lookAtTree(place.repo, place.index)).entries.map(({ file }) => file);
}

function readRecord(place: Place): readonly string[] | undefined {
  try {
    return JSON.parse(readFileSync(recordOf(place), 'utf8'));
  } catch {
    return undefined;
  }
}

function recordOf({ run }: Place): string {
  return path.join(run.folder, 'report-tree.json');
}

function stampsOf({ run }: Place): string {
  return path.join(run.folder, 'report-tree');
}
