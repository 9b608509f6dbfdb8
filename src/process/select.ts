// Which processes of a table belong to a mark: those that carry it, or are in a tree or session below one that does.
// Pure.
import type { ProcessRow } from './process-table.ts';

export type Selection = Readonly<{
  isMarked: (row: Pick<ProcessRow, 'hasEntry'>) => boolean;
  /** A program that counts, marked or not, with its descendants and session. */
  root?: number;
  /** Never selected, nor what descends from them alone. */
  spared: readonly number[];
}>;

/** In the table's order. */
export function selectRows(
  table: readonly ProcessRow[],
  { isMarked, root, spared }: Selection,
): readonly ProcessRow[] {
  const children = groupBy(table, (row) => row.ppid);
  const sessions = groupBy(table, (row) => row.session);
  const taken = new Set<ProcessRow>();
  const kept = new Set([...spared, ...ancestorsOf(table, spared)]);
  const queue: ProcessRow[] = table.filter(
    (row) => row.pid === root || row.session === root || isMarked(row),
  );
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (taken.has(row) || kept.has(row.pid)) continue;
    taken.add(row);
    // The leader had the mark before the session: all in it came from there, even without its parent.
    queue.push(...(children.get(row.pid) ?? []), ...(sessions.get(row.pid) ?? []));
  }
  return table.filter((row) => taken.has(row));
}

/** Map.groupBy, which a Node inside a sandbox may lack. */
function groupBy(
  table: readonly ProcessRow[],
  keyOf: (row: ProcessRow) => number,
): ReadonlyMap<number, readonly ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of table) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

function ancestorsOf(table: readonly ProcessRow[], pids: readonly number[]): readonly number[] {
  const parents = new Map(table.map((row) => [row.pid, row.ppid]));
  const found = new Set<number>();
  for (const pid of pids) {
    for (let at = parents.get(pid); at !== undefined && !found.has(at); at = parents.get(at)) found.add(at);
  }
  return [...found];
}

/** So that no parent can react to a signal to its child. */
export function parentsFirst<T extends Readonly<{ pid: number; ppid: number }>>(
  processes: readonly T[],
): readonly T[] {
  const byPid = new Map(processes.map((each) => [each.pid, each]));
  const ordered = new Set<T>();
  for (const each of processes) {
    const line = new Set<T>();
    for (
      let at: T | undefined = each;
      at !== undefined && !ordered.has(at) && !line.has(at);
      at = byPid.get(at.ppid)
    ) {
      line.add(at);
    }
    for (const one of [...line].reverse()) ordered.add(one);
  }
  return [...ordered];
}
