// What other runs of a repository do beside one of them: which branches are theirs to move. It reads first lines and times
// of journals alone.
import { listRuns, statJournal } from './folder.ts';

/** Branches of the other runs that wrote anything since an instant; a dialogue that commits nothing moves none. */
export function branchesOfOthers(commonDir: string, run: string, since: Date): ReadonlySet<string> {
  const beside = listRuns(commonDir).filter(
    (other) =>
      other.run !== run &&
      other.started.planning?.commit !== false &&
      (statJournal(other.folder)?.mtimeMs ?? 0) >= since.getTime(),
  );
  return new Set(beside.map(({ started }) => started.branch));
}
