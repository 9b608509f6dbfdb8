// The ports of a real run: real sessions, checks and repository.
import { beginTask } from './begin.ts';
import { closeTask } from './close/close.ts';
import { tickTree } from './close/tick-tree.ts';
import { sortCheckWrites } from './guard/check-writes.ts';
import { noteTamper, restoreAll, snapshotBeforeWork } from './guard/guard.ts';
import { noteHidden } from './guard/ignored-files.ts';
import { judgeTouched } from './guard/judge-touched.ts';
import type { Ports } from './ports.ts';
import { proveTree } from './prove/prove-task.ts';
import { replayPoint, restoreStart } from './rescue/rescue-point.ts';
import { startSession } from './session/start-session.ts';
import { runChecks } from './tree/run-checks.ts';
import { writeTreeAgainst } from './tree/work-tree.ts';

export const realPorts: Ports = {
  sessions: { start: startSession },
  checks: { run: runChecks },
  repository: {
    begin: beginTask,
    takeSnapshot: snapshotBeforeWork,
    restoreRepository: restoreAll,
    noteTamper,
    judgeTouched,
    proveTree,
    noteIgnored: noteHidden,
    writeTree: writeTreeAgainst,
    sortCheckWrites,
    tick: tickTree,
    close: closeTask,
    restoreStart,
    replay: replayPoint,
  },
};
