// After a turn: restores what an agent must not change, writes tree T, runs the checks.
import type { Outcome } from '../../agent/session/session-plan.ts';
import type { CheckRun } from '../../check/check-run.ts';
import { formatCheckEvidence } from '../../check/evidence.ts';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { IgnoredFile } from '../../git/tree/ignored.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import type { TreeProof } from '../../proof/task-proof.ts';
import { checkTree } from '../guard/check-writes.ts';
import { noteTamper, restoreAll } from '../guard/guard.ts';
import { findNamedPipes, findOutsideLinks, formatHidden, noteHidden } from '../guard/ignored-files.ts';
import type { Whose } from '../guard/put-back.ts';
import { judgeTouched } from '../guard/touched-checks.ts';
import { findUnclaimed } from '../guard/user-files.ts';
import { isTurnEnd } from '../judge/judge.ts';
import type { CheckSummary, Held, SeenWork, Verdict } from '../judge/verdict.ts';
import { judgeAnswers, placeTests, rejectsAll, type Said } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { describeCounts, proveTree } from '../prove/prove-task.ts';
import { fingerprintOf, redOnes, wasRed } from '../tree/run-checks.ts';
import { isChanged, writeWorkTree } from '../tree/work-tree.ts';
import { checksOf, isHookCheck, isOfPlan, isProof, type Work } from '../work.ts';

export type Inspection = SeenWork &
  Readonly<{
    written: WrittenTree;
    /** An interruption kept the checks from deciding. */
    cutShort: boolean;
    /** What is wrong, other than the work itself. */
    about?: 'answers' | 'conflict' | undefined;
    /** For the agent: what is red and its output, bounded. */
    evidence: string;
    fingerprint: string | undefined;
  }>;

/** `before`: as the session began. */
export type EndedTurn = Readonly<{
  outcome: Outcome;
  before: Snapshot;
  summary: string;
  session?: number;
  asks?: string | undefined;
  /** A person ended it. */
  halt?: Held | undefined;
  /** Files that its tools wrote, as the agent named them. */
  written?: readonly string[];
  said?: Said;
  /** The guard's earlier reasons, in words. */
  reds?: readonly string[];
  /** Conflicts, in words: nothing is checked until they are resolved. */
  unmerged?: readonly string[];
  /** Conflicts left as the merge made them, in words. */
  unproved?: readonly string[];
  /** What happened to the tree, for the next message if something is red. */
  told?: string;
}>;

export type Round = Readonly<{
  verdict: Verdict;
  evidence: string;
  fingerprint: string | undefined;
  tree: string;
  about?: Inspection['about'];
  /** The branch had moved: it is merged and judged again. */
  isOvertaken?: true;
}>;

export async function inspect(place: WorkPlace, work: Work, turn: EndedTurn): Promise<Inspection> {
  const { unmerged = [], unproved = [], told = '' } = turn;
  const guarded = await guardTurn(place, work, turn);
  const { changed, guard, answers } = guarded;
  const checked = isToBeChecked(work, turn, guarded)
    ? await checkTree(place, work, guarded.tree)
    : { tree: guarded.tree, runs: undefined, restless: [], cutShort: false };
  const { tree, runs = [], restless, cutShort } = checked;
  const isGreen = runs.length > 0 && redOnes(runs).length + restless.length + guard.length === 0 && !cutShort;
  // Only green asks what made it so.
  const touched = isGreen
    ? await judgeTouched(place, work, { tree, whose: guarded.whose })
    : { reds: [], read: [] };
  const read = [
    ...touched.read,
    ...findOutsideLinks(place, work, tree.files),
    ...describeCounts(place, work, checked),
  ];
  const reds = [...guard, ...touched.reds, ...restless.map(formatRestless)];
  const seen: SeenWork = {
    reds,
    changed,
    checks: checked.runs && summarizeChecks(work, runs),
    quick: runs.reduce((total, run) => total + run.durationMs, 0) < fixed.correctUnderMs,
    hidden: guarded.hidden.map(({ file }) => file),
    readByChecks: read,
    unproved: [...read, ...unproved],
    unnamed: findUnclaimed(place, work, tree.files),
    needsNothing: findIdle(work, turn.said),
  };
  const isOver = isGreen && reds.length === 0 && isTurnEnd(turn.outcome);
  const proof = isOver ? await proveTree(place, work, { tree, ...seen }) : undefined;
  const notes = [...reds, ...formatHidden(guarded.hidden), ...read].map((note) => `- ${note}`);
  const isOnlyAnswers = answers.length > 0 && answers.length === guard.length && redOnes(runs).length === 0;
  const parts = [told, notes.join('\n'), formatReds(place, redOnes(runs)), formatTreeProof(proof)];
  return {
    ...seen,
    proof,
    written: tree,
    cutShort,
    about: unmerged.length > 0 ? 'conflict' : isOnlyAnswers ? 'answers' : undefined,
    evidence: parts.filter((part) => part !== '').join('\n\n'),
    fingerprint: [fingerprintOf(runs) ?? [], reds].flat().join(' ') || undefined,
  };
}

/** Before the checks. `guard`: all reasons against the round, also `answers`. */
type Guarded = Readonly<{
  tree: WrittenTree;
  changed: boolean;
  whose: Whose;
  /** A check would wait for ever on one. */
  pipes: readonly string[];
  hidden: readonly IgnoredFile[];
  answers: readonly string[];
  guard: readonly string[];
}>;

async function guardTurn(place: WorkPlace, work: Work, turn: EndedTurn): Promise<Guarded> {
  const whose = { task: work.task.id, ...defined({ session: turn.session }) };
  const reds = await restoreAll(place, work, { before: turn.before, whose });
  await placeTests(place, work);
  const tree = await writeWorkTree(place, work, 'session');
  const pipes = findNamedPipes(place.repo.root, checksOf(place, work.planSnapshot, work.task));
  const changed = isChanged(place, work, tree.tree);
  const tamper = await noteTamper(place, work, tree);
  const answers = turn.said && isTurnEnd(turn.outcome) ? judgeAnswers(turn.said, changed) : [];
  const hidden = await noteHidden(place, work, turn.written ?? []);
  const refused = tree.refused.map(({ file, detail }) => `${file}: ${detail}`);
  const before = [...(turn.reds ?? []), ...reds, ...(turn.unmerged ?? [])];
  const guard = [...before, ...pipes, ...refused, ...tamper, ...answers];
  return { tree, changed, whose, pipes, hidden, answers, guard };
}

function isToBeChecked(work: Work, turn: EndedTurn, { changed, pipes }: Guarded): boolean {
  const isIdle = !isOfPlan(work) && !changed;
  const isUnmerged = (turn.unmerged ?? []).length > 0;
  return pipes.length === 0 && !isUnmerged && !isIdle && isWorthChecking(work, turn.outcome);
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

function summarizeChecks(work: Work, runs: readonly CheckRun[]): CheckSummary {
  const ids = new Set(work.task.checks.map(({ id }) => id));
  const own = runs.filter(
    ({ check, result }) => check.scope === 'task' && ids.has(check.id) && result === 'green',
  );
  const excused = runs.filter((run) => run.check.knownRed && run.result !== 'green').length;
  return {
    ran: runs.filter(({ check }) => !isHookCheck(check)).length - excused,
    excused,
    red: redOnes(runs).map((run) => run.check.command),
    turnedGreen: own.some((run) => work.start.red.includes(run.check.id)),
    wasRed:
      own.some((run) => (work.start.wasRed ?? work.start.red).includes(run.check.id)) ||
      runs.some(({ check, result }) => isProof(check) && result === 'green'),
    ownGreen: own.length > 0,
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
  return red.length > 0 ? formatCheckEvidence(red, { alreadyRed }) : '';
}

function formatTreeProof(proof: TreeProof | undefined): string {
  if (!proof) return '';
  return [...(proof.word === 'proven' ? [] : proof.reasons), ...proof.missed]
    .map((text) => `- ${text}`)
    .join('\n');
}
