// What the loop of attempts has done outside itself: sessions, checks, the repository. The loop decides by what these
// come to and reaches the world through nothing else, so that it can be driven through any night without one.
import { takeSnapshot } from '../../git/snapshot.ts';
import { replayPoint, restoreStart } from '../rescue-point.ts';
import { beginTask } from './begin.ts';
import { closeTask } from './close.ts';
import { noteTamper, putAllBack } from './guard.ts';
import { noteHidden } from './hidden.ts';
import { runChecks } from './run-checks.ts';
import { startSession } from './start-session.ts';
import { tickTree } from './tick-tree.ts';
import { writePlainTree } from './work-tree.ts';

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
