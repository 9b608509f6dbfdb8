// The state of a run that has just begun.
import { defined } from '../defined.ts';
import { noneFlaky } from '../event/flaky.ts';
import type { FactOf, Stamped } from '../event.ts';
import { noCutOffs } from './fold-cut-off.ts';
import { noReview } from './fold-review.ts';
import type { RunState } from './state.ts';
import { noTimes } from './timeline.ts';

export function startState(started: Stamped<FactOf<'run-started'>>): RunState {
  return {
    started,
    ...defined({ worktree: started.worktree }),
    ...nothingYet,
    lifeAt: started.at,
    lastAt: started.at,
  };
}

const nothingYet: Omit<RunState, 'started' | 'worktree' | 'lifeAt' | 'lastAt'> = {
  tasks: new Map(),
  leave: new Map(),
  fixes: new Map(),
  sessions: new Map(),
  checks: 0,
  baseline: [],
  atEnd: [],
  leftOut: [],
  leftOutOf: new Map(),
  violations: [],
  refused: [],
  refusedHosts: [],
  notices: [],
  isNarrowed: false,
  rescues: [],
  setAside: [],
  waitedMs: 0,
  stoppedMs: 0,
  crashes: 0,
  interventions: [],
  replans: [],
  dialogue: [],
  review: noReview,
  requests: new Map(),
  flakiness: noneFlaky,
  lanesUsed: new Set(),
  kept: [],
  lanes: new Map(),
  rescuesOf: new Map(),
  caps: { settings: [], asked: [] },
  budgetsReached: [],
  spentAt: new Map(),
  limits: new Map(),
  lessons: [],
  metLimits: new Map(),
  unusable: new Set(),
  pausedMs: 0,
  stopAsked: false,
  notes: [],
  phasesEnded: [],
  knownRed: [],
  resumes: 0,
  cutOffs: noCutOffs,
  times: noTimes,
};
