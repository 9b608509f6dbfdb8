// What the loop of attempts has done outside itself: sessions, checks, the repository. The loop decides by what these
// come to and reaches the world through nothing else, so that it can be driven through any night without one.
import { takeSnapshot } from '../git/snapshot.ts';
import { beginTask } from './begin.ts';
import { closeTask } from './close/close.ts';
import { tickTree } from './close/tick-tree.ts';
import { noteTamper, putAllBack } from './inspect/guard.ts';
import { noteHidden } from './inspect/ignored-files.ts';
import { runChecks } from './inspect/run-checks.ts';
import { writePlainTree } from './inspect/work-tree.ts';
import { replayPoint, restoreStart } from './rescue/rescue-point.ts';
import { startSession } from './session/start-session.ts';

/** The real ones. */
export const hands = {
  beginTask,
  closeTask,
  noteHidden,
  noteTamper,
  putAllBack,
  replayPoint,
  restoreStart,
  runChecks,
  startSession,
  takeSnapshot,
  tickTree,
  writePlainTree,
} as const;

/** What a run reaches the world with. */
export type Hands = typeof hands;
