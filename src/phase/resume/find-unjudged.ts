// Finds, when a run is resumed, a session that ended by itself and was never judged.
import { findWorkState, type SessionState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';

/**
 * The session of an attempt that ended by itself and has no verdict: because of a kill, a git failure, or an interruption
 * of its checks.
 */
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
