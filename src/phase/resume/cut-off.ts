// A session without a verdict: found, git and plan restored to its beginning.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { movesOf } from '../../git/protect/further.ts';
import type { ViolationRestore } from '../../git/restore/violation.ts';
import { descends, describeCommits } from '../../git/run/ancestry.ts';
import { findWorkState, type SessionState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { emitHandEdits } from '../../work/edits/external-edits.ts';
import { restoreGit } from '../../work/guard/guard.ts';
import { restorePlan } from '../../work/plan/plan-snapshot.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { keptPlan, readKeptSnapshot } from '../../work/restart-files.ts';
import { sessionOf } from '../../work/session/identity.ts';

/** In a lane any HEAD is the session's doing. */
export async function restoreCutOff(
  place: Place,
  { started: { session, task } }: Pick<SessionState, 'started'>,
): Promise<void> {
  const before = readKeptSnapshot(place);
  const state = place.run.state();
  const whose = { session, ...defined({ task }) };
  if (before) {
    const { tree } = findWorkState(state, task) ?? {};
    const rule = place.lane ? {} : movedHeadRule(place, { session, start: before.head });
    await restoreGit(place, before, { whose, ...defined({ tree }), ...rule });
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
  if (isClosing || !task || task.standing.is !== 'open') return undefined;
  const { lastRound } = task;
  const isOfAttempt = lastRound?.attempt === task.attemptsEver && lastRound.verdict !== 'correct';
  const endedByItself = ['done', 'already-done', 'silent'].includes(last?.ended?.outcome ?? '');
  const isCutShort = lastRound?.verdict === 'stop' && lastRound.reason === 'interrupted' && endedByItself;
  const isJudged = isOfAttempt && !isCutShort;
  return isJudged || last?.started.attempt !== task.attemptsEver ? undefined : last;
}

/** `start`: where the session began. */
function movedHeadRule(
  place: Place,
  { session, start }: Readonly<{ session: number; start: string }>,
): Required<Pick<ViolationRestore, 'mayStay'>> {
  const { repo, run } = place;
  return {
    mayStay: async (head) => {
      const moves = movesOf(repo, `refs/heads/${run.state().started.branch}`, start);
      const own = moves.filter(({ email }) => sessionOf(email, run.id) === session);
      if (own.length > 0 && own.length === moves.length) return undefined;
      const isOnStart = await descends(repo, start, head);
      if (!isOnStart && !(await hasSameFiles(place, { start, head }))) throw refuseBelow(start, head);
      const last = own[0]?.now;
      if (last !== undefined && !run.options.takeEdits && (await descends(repo, last, head)))
        throw refuseMixed(place, { start, last, head });
      // The index is reset to HEAD, and would take along what a person has staged.
      await saveRescuePoint(place, 'as it was after the commits made by hand');
      const { branch } = run.state().started;
      const text = isOnStart
        ? `${await describeCommits(repo, { start, head, branch })} by hand after the run was cut off`
        : 'the commits were put into others by hand';
      if (!run.state().interventions.some((known) => known.text === text)) emitHandEdits(place, [text]);
      return true;
    },
  };
}

/** Others with the same files may have replaced the commits below. */
async function hasSameFiles(
  { repo, run }: Place,
  { start, head }: Readonly<{ start: string; head: string }>,
): Promise<boolean> {
  const trees = await repo.git(['rev-parse', `${start}^{tree}`, `${head}^{tree}`]);
  const [before, after] = trees.trim().split('\n');
  return before === after && (await descends(repo, run.state().started.base, head));
}

const short = (oid: string) => oid.slice(0, 12);

function refuseMixed(
  place: Place,
  { start, last, head }: Readonly<{ start: string; last: string; head: string }>,
): Failure {
  const take = commandAgain(place.run.state(), '--take-edits ');
  const says = `the interrupted session committed up to ${short(last)}, and somebody continued from there to ${short(head)}`;
  const hint = `\`git rebase --autostash --onto ${short(start)} ${short(last)}\` keeps only the later commits; \`${take}\` keeps all of them as yours.`;
  return new Failure('history', says, { hint });
}

function refuseBelow(start: string, head: string): Failure {
  const says = `somebody moved HEAD to ${short(head)} after the session was interrupted, and ${short(start)}, where it began, is no longer part of it`;
  const hint = `Keep it with \`git branch mine\`, and bring the run's branch back with \`git reset --soft ${short(start)}\`.`;
  return new Failure('history', says, { hint });
}
