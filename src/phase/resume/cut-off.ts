// A session without a verdict: found, git and plan restored to its beginning.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { movesOf } from '../../git/protect/further.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import type { ViolationRestore } from '../../git/restore/violation.ts';
import { descends, describeCommits, isSameTree } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import { fewOf } from '../../git/run/names.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { findWorkState, type SessionState } from '../../journal/state.ts';
import { isInWork } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { type Edits, emitHandEdits, findDefinitions } from '../../work/edits/external-edits.ts';
import { restoreGit } from '../../work/guard/guard.ts';
import { findWork } from '../../work/kind/fix.ts';
import { readKeptPlan, restorePlan } from '../../work/plan/plan-snapshot.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { sessionOf } from '../../work/session/identity.ts';
import type { Work } from '../../work/work.ts';

/** In a lane any HEAD is the session's doing. */
export async function restoreCutOff(
  place: Place,
  { started: { session, task } }: Pick<SessionState, 'started'>,
): Promise<void> {
  const before = readKeptSnapshot(place);
  const kept = readKeptPlan(place);
  const state = place.run.state();
  const whose = { session, ...defined({ task }) };
  if (before) {
    const { tree } = findWorkState(state, task) ?? {};
    const work = kept && task !== undefined ? findWork(place, kept, task) : undefined;
    const rule = place.lane ? {} : movedHeadRule(place, { session, start: before.head, work });
    await restoreGit(place, before, { whose, ...defined({ tree }), ...rule });
  }
  // While a task is closing, the ticks are pawl's own.
  const { closing } = state;
  if (kept === undefined || (closing && closing.lane === place.lane?.number)) return;
  if (place.lane && !existsSync(path.dirname(place.plan.file))) return;
  restorePlan(place, kept.text, whose);
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
  { session, start, work }: Readonly<{ session: number; start: string; work: Work | undefined }>,
): Required<Pick<ViolationRestore, 'mayStay'>> {
  const { repo, run, home } = place;
  return {
    mayStay: async (head) => {
      const { branch, base } = run.state().started;
      const moves = movesOf(repo, `refs/heads/${branch}`, start);
      const own = moves.filter(({ email }) => sessionOf(email, run.id) === session);
      if (own.length > 0 && own.length === moves.length) return undefined;
      const isOnStart = await descends(repo, start, head);
      // Others with the same files may have replaced the commits below.
      const isReplaced = async () =>
        (await isSameTree(repo, start, head)) && (await descends(repo, base, head));
      if (!isOnStart && !(await isReplaced())) throw refuseBelow(start, head);
      const last = own[0]?.now;
      if (last !== undefined && !run.options.takeEdits && (await descends(repo, last, head)))
        throw refuseMixed(place, { start, last, head });
      // What came from home before another kill holds nothing of a session's in the ground.
      const isFromHome = home && (await readRef(home.repo, `refs/heads/${branch}`)) === head;
      // After a stop it is known what was left.
      if (work && !run.options.left && !isFromHome) await takeDefinitions(place, work, { start, head });
      // The index is reset to HEAD, and would take along what a person has staged.
      await saveRescuePoint(place, 'as it was after the commits made by hand');
      const text = isOnStart
        ? `${await describeCommits(repo, { start, head, branch })} by hand after the run was cut off`
        : 'the commits were put into others by hand';
      if (!run.state().interventions.some((known) => known.text === text)) emitHandEdits(place, [text]);
      return true;
    },
  };
}

/**
 * A commit by hand may hold what the session did to a check: the person says whose it is. Else their mending would count
 * against the task.
 */
async function takeDefinitions(
  place: Place,
  work: Work,
  { start, head }: Readonly<{ start: string; head: string }>,
): Promise<void> {
  const changed = findDefinitions(place, work, await changedNames(place.repo, start, head));
  if (changed.length === 0) return;
  if (!place.run.options.takeEdits) throw refuseUnclear(place, { start, head, changed });
  place.run.emit({ type: 'definitions-taken', task: work.task.id, changed, tree: head });
}

/**
 * A kill between two sessions of a task: what was committed since, and is not as the last one left it, is a person's.
 * What they committed of a session's own change stays that.
 */
export async function takeCommits(place: Place): Promise<Edits | undefined> {
  const { repo, run, home } = place;
  const { tasks, fixes, started } = run.state();
  const task = [...tasks.values(), ...fixes.values()].find((one) => isInWork(one) && !one.start?.lane);
  const start = readKeptSnapshot(place)?.head;
  const head = await readHeadCommit(repo);
  if (start === undefined || start === head || task?.tree === undefined) return undefined;
  const moves = movesOf(home?.repo ?? repo, `refs/heads/${started.branch}`, start);
  if (moves.some(({ email }) => sessionOf(email, run.id) !== undefined)) return undefined;
  const committed = new Set(await changedNames(repo, start, head));
  const files = (await changedNames(repo, task.tree, head)).filter((file) => committed.has(file));
  return { to: head, files };
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

function refuseUnclear(
  place: Place,
  { start, head, changed }: Readonly<{ start: string; head: string; changed: readonly string[] }>,
): Failure {
  const says = `somebody committed ${fewOf(changed, 5)} after the session was interrupted; checks depend on that, and pawl cannot tell the session's changes from yours`;
  const take = commandAgain(place.run.state(), '--take-edits ');
  const look = `git diff ${short(start)} ${short(head)}`;
  return new Failure('history', says, {
    hint: `Look at \`${look}\`; if it is as you want it, \`${take}\` takes it as yours.`,
  });
}

function refuseBelow(start: string, head: string): Failure {
  const says = `somebody moved HEAD to ${short(head)} after the session was interrupted, and ${short(start)}, where it began, is no longer part of it`;
  const hint = `Keep it with \`git branch mine\`, and bring the run's branch back with \`git reset --soft ${short(start)}\`.`;
  return new Failure('history', says, { hint });
}
