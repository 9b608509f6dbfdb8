// What other runs of a repository do beside one of them: which branches are theirs to move. It reads first lines and times
// of journals alone.
import { statSync } from 'node:fs';
import path from 'node:path';
import { listRuns } from './folder.ts';
import { journalFile } from './journal.ts';

/** Branches of the other runs that wrote anything since an instant; a dialogue that commits nothing moves none. */
export function branchesBeside(commonDir: string, run: string, since: Date): ReadonlySet<string> {
  const beside = listRuns(commonDir).filter(
    (other) =>
      other.run !== run &&
      other.started.planning?.commit !== false &&
      statSync(path.join(other.folder, journalFile)).mtimeMs >= since.getTime(),
  );
  return new Set(beside.map(({ started }) => started.branch));
}
