// Which branches other active runs of the repository may move, from the first lines and times of their journals.
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
