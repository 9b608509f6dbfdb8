// Handles a plan that a finished run has already done.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../digest.ts';
import type { ProofWord } from '../event/task.ts';
import { pickExit } from '../failure.ts';
import { isNoRef } from '../git/place/branches.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { inRun, type RunFolder } from '../journal/folder.ts';
import { readJournal } from '../journal/read-journal.ts';
import { archivedTo, isFinished, type RunState } from '../journal/state.ts';
import { judgeProofs, proofCodes } from '../phase/judge-proofs.ts';
import { findRunOf } from '../phase/open/find-unfinished.ts';
import { reasonsOfFresh } from '../phase/verify.ts';
import { readPlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { isClosed, untrackedBoxes } from '../plan/plan.ts';
import { type Line, labelled, line } from '../report/text/line.ts';
import { formatExit } from '../report/text/run-words.ts';
import { shellWord } from '../shell-word.ts';
import { carryEnd } from './carry/prepare-carry.ts';
import { type CliContext, print, printLines } from './context.ts';
import { readRun } from './find-run.ts';
import { leaveGround } from './ground/remove.ts';
import { findPlace, type Place, realOf } from './locate.ts';
import type { RunFlags } from './run-options.ts';

/** `isElsewhere`: its work is on another branch. */
type Done = Readonly<NonNullable<ReturnType<typeof findDone>>>;

/** Undefined unless the plan is done; else says so, removes the run's ground, and returns the run's exit code. */
export async function printIfDone(
  context: CliContext,
  plan: string,
  { fresh, require, json, dryRun }: RunFlags,
): Promise<number | undefined> {
  const found = fresh ? undefined : findDone(context, plan);
  if (!found) return undefined;
  const done = judgeAgain(found, require);
  if (json) print(context, JSON.stringify(done.ended));
  else printLines(context, formatDone(done));
  if (dryRun) return done.ended.exit;
  // A kill may have come before this, and the removal.
  const carried = await carryEnd(context, done);
  const { worktree } = done.state;
  if (worktree && existsSync(worktree.path)) await leaveGround(context, worktree, done.state);
  return pickExit([done.ended.exit, carried]);
}

/** As the run would have ended with this required from the start. */
function judgeAgain(done: Done, require: ProofWord | undefined): Done {
  if (require === undefined) return done;
  const { ended, state } = done;
  const others = ended.reasons.filter(({ code }) => !proofCodes.has(code));
  const fresh = reasonsOfFresh(state.freshVerified, require).filter(({ code }) => proofCodes.has(code));
  const reasons = [...others, ...judgeProofs(state, require), ...fresh];
  return { ...done, ended: { ...ended, reasons, exit: pickExit(reasons.map(({ exit }) => exit)) } };
}

function findDone(context: CliContext, given: string) {
  const place = findPlace(context.cwd);
  const file = realOf(path.resolve(context.cwd, given));
  if (!place) return undefined;
  const run = findRunOf(place, file);
  if (!run) return undefined;
  const isThere = existsSync(file);
  const state = readRun(run);
  const isElsewhere = isThere && isDoneElsewhere(place, file, run);
  if (isThere && !isElsewhere && !isClosedHere(file, state)) return undefined;
  const { ended } = state.course;
  if (!isFinished(state) || !ended || !(archivedTo(state) || isThere)) return undefined;
  return { place, run, state, ended, isElsewhere };
}

/** A plan that stays in place, with no open task or other box since. */
function isClosedHere(file: string, state: RunState): boolean {
  const plan = parsePlan(readPlanFile(file), file);
  const isNew = untrackedBoxes(plan).length > (state.plan?.outside ?? []).length;
  return plan.tasks.length > 0 && plan.tasks.every(isClosed) && !isNew;
}

/** The plan is as the run began with it, and its branch exists and is not checked out here. */
function isDoneElsewhere(place: Place, file: string, { folder, started }: RunFolder): boolean {
  const { branch, planPlace } = started;
  if (planPlace !== 'tracked' || readHead(place).branch === branch) return false;
  if (isNoRef(place, `refs/heads/${branch}`)) return false;
  const first = readJournal(folder).find(({ type }) => type === 'plan-read');
  return first?.type === 'plan-read' && first.hash === digestText(readPlanFile(file));
}

function formatDone({ run: { folder, started }, state, ended, isElsewhere }: Done): readonly Line[] {
  const { exit, reasons } = ended;
  const archived = archivedTo(state);
  const plan = shellWord(started.plan);
  return [
    line('head', `${started.plan} is done: its run has finished, and nothing is left to run.`),
    labelled(exit === 0 ? 'good' : 'warn', 'end', `${formatExit(exit)} (exit ${exit})`),
    ...reasons.filter(({ text }) => text !== formatExit(exit)).map(({ text }) => labelled('plain', '', text)),
    ...(archived === undefined ? [] : [labelled('plain', 'plan', archived)]),
    labelled('plain', 'branch', `${started.branch}${isElsewhere ? ', which is not checked out here' : ''}`),
    labelled('plain', 'report', path.join(folder, inRun.report)),
    labelled('dim', 'next', `pawl report ${plan} shows it`),
    ...(isElsewhere
      ? [labelled('dim', 'again', `pawl run --fresh --branch ${started.branch}-2 ${plan}`)]
      : []),
  ];
}
