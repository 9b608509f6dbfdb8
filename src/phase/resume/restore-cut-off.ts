// Takes git and the plan of a place back to how they were when a session began there that was cut off.
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

/** Only the session works in a lane: there, whatever HEAD is, is its doing. */
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
  // While a task is closing, the ticks in the file are pawl's own: the table decides about them.
  const { closing } = state;
  if (text === undefined || (closing && closing.lane === place.lane?.number)) return;
  if (place.lane && !existsSync(path.dirname(place.plan.file))) return;
  restorePlan(place, { text, plan: parsePlan(text, place.plan.file) }, whose);
}
