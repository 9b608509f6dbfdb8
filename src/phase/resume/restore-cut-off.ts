// A session without a verdict: found, and git and plan restored to its beginning.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import { findWorkState, type SessionState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { branchesTold, emitViolations, keepTaken } from '../../work/guard/violations.ts';
import { restorePlan } from '../../work/plan/plan-snapshot.ts';
import { restoreOptions } from '../../work/rescue/rescue-point.ts';
import { keptPlan, readKeptSnapshot } from '../../work/restart-files.ts';
import { movedHeadRule } from './moved-head.ts';

/** In a lane any HEAD is the session's doing. */
export async function restoreCutOff(
  place: Place,
  { started: { session, task } }: Pick<SessionState, 'started'>,
): Promise<void> {
  const before = readKeptSnapshot(place);
  const state = place.run.state();
  const known = findWorkState(state, task);
  const whose = { session, ...defined({ task }) };
  if (before) {
    const past = known?.violations ?? state.violations;
    const { violations } = await restoreRepository(place.repo, before, {
      ...restoreOptions(place, known?.tree),
      ...(place.lane ? {} : movedHeadRule(place, { session, start: before.head })),
      told: branchesTold(past, session),
    });
    await keepTaken(place, violations);
    emitViolations(place, { past, whose, violations });
  }
  const text = keptPlan(place);
  // While a task is closing, the ticks are pawl's own.
  const { closing } = state;
  if (text === undefined || (closing && closing.lane === place.lane?.number)) return;
  if (place.lane && !existsSync(path.dirname(place.plan.file))) return;
  restorePlan(place, { text, plan: parsePlan(text, place.plan.file) }, whose);
}

/** It ended by itself, before a kill, a git failure, or an interruption. */
export function findUnjudged(place: Place): SessionState | undefined {
  const state = place.run.state();
  const last = [...state.sessions.values()].findLast(({ started }) => started.lane === place.lane?.number);
  const task = findWorkState(state, last?.started.task);
  const isClosing = state.closing !== undefined && state.closing.lane === place.lane?.number;
  if (isClosing || !task || task.standing !== 'open') return undefined;
  const { lastRound } = task;
  const isOfAttempt = lastRound?.attempt === task.attemptsEver && lastRound.verdict !== 'correct';
  const isCutShort =
    lastRound?.verdict === 'stop' && lastRound.reason === 'interrupted' && endedByItself(last);
  const isJudged = isOfAttempt && !isCutShort;
  return isJudged || last?.started.attempt !== task.attemptsEver ? undefined : last;
}

function endedByItself(session: SessionState | undefined): boolean {
  const outcome = session?.ended?.outcome;
  return outcome === 'done' || outcome === 'already-done' || outcome === 'silent';
}
