// After a turn: restores what an agent must not change, writes tree T, runs the checks.
import type { Outcome } from '../../agent/session/session-plan.ts';
import type { CheckRun } from '../../check/check-run.ts';
import { formatCheckEvidence } from '../../check/evidence.ts';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { IgnoredFile } from '../../git/tree/ignored.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { resultBefore, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { TreeProof } from '../../proof/task-proof.ts';
import { checkTree } from '../guard/check-writes.ts';
import { noteTamper, restoreAll } from '../guard/guard.ts';
import { findOutsideLinks, formatHidden, noteHidden } from '../guard/ignored-files.ts';
import type { Whose } from '../guard/put-back.ts';
import { judgeTouched, noneTouched } from '../guard/touched-checks.ts';
import { findUnclaimed } from '../guard/user-files.ts';
import { isTurnEnd } from '../judge/judge.ts';
import type { CheckSummary, Held, SeenWork, Verdict } from '../judge/verdict.ts';
import { judgeAnswers, placeTests, rejectsAll, type Said } from '../kind/fix-answers.ts';
import type { CaughtUp, WorkPlace } from '../landing.ts';
import { describeCounts, proveTree } from '../prove/prove-task.ts';
import type { LiveSession } from '../session/start-session.ts';
import { fingerprintOf, redOnes, wasRed } from '../tree/run-checks.ts';
import { isChanged, writeWorkTree } from '../tree/work-tree.ts';
import { isHookCheck, isOfPlan, isProof, stateOf, type Work } from '../work.ts';

/** What a turn left for the round after it. */
type Evidence = Readonly<{
  tree: string;
  /** For the agent: what is red and its output, bounded. */
  evidence: string;
  fingerprint: string | undefined;
  /** What is wrong, other than the work itself. */
  about?: 'answers' | 'conflict' | undefined;
}>;

export type Inspection = SeenWork &
  Evidence &
  Readonly<{
    written: WrittenTree;
    /** An interruption kept the checks, or the experiments, from deciding. */
    cutShort: boolean;
  }>;

export type Round = Evidence & Readonly<{ verdict: Verdict }>;

/** `before`: as the session began, or as its work was merged. */
export type EndedTurn = Readonly<{
  work: Work;
  before: Snapshot;
  outcome: Outcome;
  summary: string;
  /** Absent after a restart. */
  live?: LiveSession;
  asks?: string | undefined;
  /** A person ended it. */
  halt?: Held | undefined;
  /** Files that its tools wrote, as the agent named them. */
  written?: readonly string[];
  said?: Said | undefined;
  /** The guard's earlier reasons, in words. */
  reds?: readonly string[];
  /** In a lane: nothing is checked until its conflicts are resolved. */
  caught?: CaughtUp;
}>;

/** A round about which nothing was found out. */
export function unjudged(place: Place, work: Work, verdict: Verdict): Round {
  const { tree = work.start.tree } = stateOf(place, work.task);
  return { verdict, evidence: '', fingerprint: undefined, tree };
}

export function whoseOf({ work, live }: EndedTurn): Whose {
  return { task: work.task.id, ...defined({ session: live?.session.plan.number }) };
}

export async function inspect(place: WorkPlace, turn: EndedTurn): Promise<Inspection> {
  const { work, caught, said } = turn;
  const guarded = await guardTurn(place, turn);
  const { changed, reds: guard, hidden, answers } = guarded;
  const checked = isToBeChecked(turn, guarded)
    ? await checkTree(place, work, guarded.tree)
    : { tree: guarded.tree, runs: undefined, restless: [], cutShort: false };
  const { tree, runs = [], restless, cutShort } = checked;
  const red = redOnes(runs);
  const isGreen = runs.length > 0 && red.length + restless.length + guard.length === 0 && !cutShort;
  // Only green asks what made it so.
  const touched = isGreen ? await judgeTouched(place, work, { tree, whose: whoseOf(turn) }) : noneTouched;
  const links = findOutsideLinks(place, work, tree.files);
  const read = [...touched.read, ...links, ...describeCounts(place, work, checked)];
  const reds = [...guard, ...touched.reds, ...restless.map(formatRestless)];
  const seen: SeenWork = {
    reds,
    changed,
    checks: checked.runs && summarizeChecks(work, stateOf(place, work.task), runs),
    quick: runs.reduce((total, run) => total + run.durationMs, 0) < fixed.correctUnderMs,
    hidden: hidden.map(({ file }) => file),
    readByChecks: read,
    unproved: [...read, ...(caught?.unproved ?? [])],
    unnamed: findUnclaimed(place, work, tree.files),
    needsNothing: findIdle(work, said),
  };
  const mayClose = isTurnEnd(turn.outcome) || seen.checks?.turnedGreen;
  const isOver = isGreen && reds.length === 0 && !touched.cutShort && mayClose;
  const proof = isOver ? await proveTree(place, work, tree, seen) : undefined;
  const notes = listOf([...reds, ...formatHidden(hidden), ...read]);
  const parts = [caught?.told ?? '', notes, formatReds(place, red), listOf(lacksOf(proof))];
  const isOnlyAnswers = answers.length > 0 && answers.length === guard.length && red.length === 0;
  return {
    ...seen,
    proof,
    written: tree,
    tree: tree.tree,
    // Nothing is proven by experiments that were interrupted.
    cutShort: cutShort || touched.cutShort || (proof !== undefined && place.run.signal.aborted),
    about: caught?.unmerged.length ? 'conflict' : isOnlyAnswers ? 'answers' : undefined,
    evidence: parts.filter((part) => part !== '').join('\n\n'),
    fingerprint: [fingerprintOf(runs) ?? [], reds].flat().join(' ') || undefined,
  };
}

/** Before the checks. `reds`: all reasons against the round, also `answers`. */
type Guarded = Readonly<{
  tree: WrittenTree;
  changed: boolean;
  hidden: readonly IgnoredFile[];
  answers: readonly string[];
  reds: readonly string[];
}>;

async function guardTurn(place: WorkPlace, turn: EndedTurn): Promise<Guarded> {
  const { work, before, said, written = [], reds = [], caught } = turn;
  const acts = await restoreAll(place, work, { before, whose: whoseOf(turn) });
  await placeTests(place, work);
  const tree = await writeWorkTree(place, work, 'session');
  const changed = isChanged(place, work, tree.tree);
  const tamper = await noteTamper(place, work, tree);
  const answers = said && isTurnEnd(turn.outcome) ? judgeAnswers(said, changed) : [];
  const hidden = await noteHidden(place, work, written);
  const refused = tree.refused.map(({ file, detail }) => `${file}: ${detail}`);
  const all = [reds, acts, caught?.unmerged ?? [], refused, tamper, answers].flat();
  return { tree, changed, hidden, answers, reds: all };
}

function isToBeChecked({ work, outcome, caught }: EndedTurn, { changed }: Guarded): boolean {
  const isIdle = !isOfPlan(work) && !changed;
  return !caught?.unmerged.length && !isIdle && isWorthChecking(work, outcome);
}

const askingOrRefused: ReadonlySet<Outcome['kind']> = new Set([
  'needs-input',
  'replan',
  'refused',
  'interrupted',
]);

/** After a cut-off session, checks run only if one could prove the work without the agent's word. */
export function isWorthChecking(work: Work, outcome: Outcome): boolean {
  if (isTurnEnd(outcome)) return true;
  // The agent's word is part of the proof where checks do not cover everything.
  return !askingOrRefused.has(outcome.kind) && work.start.red.length > 0 && isOfPlan(work);
}

function summarizeChecks(work: Work, state: TaskState, runs: readonly CheckRun[]): CheckSummary {
  const ids = new Set(work.task.checks.map(({ id }) => id));
  const own = runs.filter(({ check }) => check.scope === 'task' && ids.has(check.id) && !check.knownRed);
  const green = new Set(own.flatMap(({ check, result }) => (result === 'green' ? check.id : [])));
  const wasRed = state.checks.some(
    (one) => one.when === 'after' && green.has(one.check) && resultBefore(state, one) === 'red',
  );
  const excused = runs.filter((run) => run.check.knownRed && run.result !== 'green').length;
  return {
    ran: runs.filter(({ check }) => !isHookCheck(check)).length - excused,
    excused,
    red: redOnes(runs).map((run) => run.check.command),
    turnedGreen: wasRed && work.start.red.length > 0,
    wasRed: wasRed || runs.some(({ check, result }) => isProof(check) && result === 'green'),
    ownGreen: green.size > 0,
  };
}

function findIdle(work: Work, said: Said | undefined): string | undefined {
  if (work.kind === 'finalize') return 'no file had to be changed';
  return rejectsAll(said) ? 'every finding is rejected with a reason' : undefined;
}

function formatRestless(file: string): string {
  return `the checks write ${file} every time they run: commit its final form, or ignore it`;
}

function formatReds(place: Place, red: readonly CheckRun[]): string {
  const alreadyRed = new Set(red.filter((run) => wasRed(place, run)).map((run) => run.check.id));
  return red.length > 0 ? formatCheckEvidence(red, alreadyRed) : '';
}

function lacksOf(proof: TreeProof | undefined): readonly string[] {
  return proof ? [...(proof.word === 'proven' ? [] : proof.reasons), ...proof.missed] : [];
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}
