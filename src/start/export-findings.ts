// What a run leaves for others to read beside its receipt: findings.json in its folder.
import path from 'node:path';
import { needFailure } from '../failure.ts';
import { inRun } from '../journal/folder.ts';
import type { Place } from '../place/place.ts';
import { judgeFindings } from '../report/findings/findings.ts';
import { writeFileAtomic } from '../write-file.ts';
import { type CliContext, printNote } from './context.ts';

/** As of the end of this start of pawl; in between, `pawl findings --json` reads them from the journal. */
export function exportFindings(context: CliContext, place: Place): void {
  const found = judgeFindings(place.run.state());
  if (found.stages.length === 0) return;
  try {
    writeFileAtomic(
      path.join(place.run.folder, inRun.findings),
      `${JSON.stringify(found, null, 2)}\n`,
      0o600,
    );
  } catch (error) {
    const failure = needFailure(error);
    printNote(context, `The findings were not written: ${failure.message}`);
  }
}
