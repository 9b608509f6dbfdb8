// Finds and ends the processes of this host that carry a mark in their environment, or descend from one that does.
import { defined } from '../defined.ts';
import { sleep } from './clock.ts';
import { endProcesses, keyOf, type LiveTargets, signalProcess, signalProcesses } from './end.ts';
import { type ProcessRow, readTable, type TableOptions } from './process-table.ts';
import { type Selection, selectRows } from './select.ts';
import type { Mark, Process, Sweep } from './sweep.ts';

/** `root` must be alive or have just ended: its number may be reused. */
export const sweep: Sweep = sweepOver((mark, root) => ({
  isMarked: (row) => row.hasEntry(mark, true),
  spared: [process.pid],
  ...defined({ root }),
}));

/** All but the spared and pawl's own program: for a sandbox of one session alone. */
export function createWideSweep(spared: readonly number[]): Sweep {
  return sweepOver(() => ({ isMarked: () => true, spared: [process.pid, ...spared] }));
}

function sweepOver(select: (mark: Mark, root?: number) => Selection): Sweep {
  return {
    find: (mark, root) => findIn(select(mark, root)),
    signal: signalProcesses,
    end: (mark, { root, ...options } = {}) => endProcesses(liveTargets(select(mark, root)), options),
  };
}

/** Ends all with any mark of a run, its sessions' and checks', from any pawl. */
export function endRun(run: string, options: { graceMs?: number } = {}): Promise<readonly Process[]> {
  const isMarked: Selection['isMarked'] = (row) =>
    row.hasEntry(`PAWL_SESSION=${run}/`, false) || row.hasEntry(`PAWL_CHECK=${run}/`, false);
  return endProcesses(liveTargets({ isMarked, spared: [process.pid] }), options);
}

/** Live processes with this whole environment entry; without descendants. */
export function findCarriers(entry: string): readonly Process[] {
  const rows = [...readTable()].filter((row) => row.pid !== process.pid && row.hasEntry(entry, true));
  return rows.map(describe);
}

function describe({ pid, ppid, startTime, command }: ProcessRow): Process {
  return { pid, ppid, startTime, command: command() };
}

function liveTargets(selection: Selection): LiveTargets {
  return {
    find: () => findIn(selection),
    freeze: (except) => stopCarriers(selection, except),
  };
}

/** For starting programs to show whose they are. */
const startingWaitMs = 20;

async function findIn(selection: Selection): Promise<readonly Process[]> {
  const table = [...readTable(youngOf(selection))];
  let found = selectRows(table, selection);
  if (found.length === 0) {
    await waitForStarting(table);
    found = selectRows(table, selection);
  }
  return found.map((row) => ({ ...describe(row), ...(row.pid === selection.root ? { isRoot: true } : {}) }));
}

async function waitForStarting(table: readonly ProcessRow[]): Promise<void> {
  let starting = table.filter((row) => row.isStarting());
  for (let waitedMs = 0; starting.length > 0 && waitedMs < startingWaitMs; waitedMs += 2) {
    await sleep(2);
    starting = starting.filter((row) => row.isStarting());
  }
}

/** This pawl started `root` and gave the mark: nobody older has it, and most of a machine is older. */
function youngOf({ root }: Selection): TableOptions {
  return root === undefined ? {} : { youngAs: process.pid };
}

function stopCarriers(selection: Selection, except: ReadonlySet<string>): void {
  for (const row of readTable(youngOf(selection)))
    if (!selection.spared.includes(row.pid) && !except.has(keyOf(row)) && selection.isMarked(row))
      signalProcess(row.pid, 'SIGSTOP');
}
