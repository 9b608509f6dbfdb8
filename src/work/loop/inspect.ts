// After a turn: restores what an agent must not change, writes tree T, runs the checks, and returns what it saw. `judge.ts`
// judges it.

import type { Outcome } from '../../agent/session/outcome.ts';
import type { CheckRun } from '../../check/check-run.ts';
import { formatCheckEvidence } from '../../check/evidence.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { IgnoredFile } from '../../git/tree/ignored.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import type { TreeProof } from '../../proof/task-proof.ts';
import { noteTamper, restoreAll } from '../guard/guard.ts';
import { formatHidden, noteHidden } from '../guard/ignored-files.ts';
import { judgeTouched } from '../guard/judge-touched.ts';
import { findNamedPipes } from '../guard/named-pipes.ts';
import { findOutsideLinks } from '../guard/outside-links.ts';
import { findUnclaimed } from '../guard/unnamed-files.ts';
import type { Whose } from '../guard/violations.ts';
import { isTurnEnd } from '../judge/judge.ts';
import type { CheckSummary } from '../judge/verdict.ts';
import { judgeAnswers, rejectsAll, type Said } from '../kind/fix-answers.ts';
import { placeTests } from '../kind/fix-proofs.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../note-tree.ts';
import { describeCounts } from '../prove/describe-counts.ts';
import { proveTree } from '../prove/prove-task.ts';
import { fingerprintOf, redOnes, wasRed } from '../tree/run-checks.ts';
import { isChanged } from '../tree/work-tree.ts';
import { checksOf, policyOf, type Work } from '../work.ts';
import { type Checked, checkTree } from './check-tree.ts';
import { findChangedMade, takeNeeded } from './needed-files.ts';
import { summarizeChecks } from './summarize-checks.ts';

export type Inspection = Readonly<{
  /** Tree T as the checks left it. */
  written: WrittenTree;
  /** The guard's reasons against the round, in words. */
  reds: readonly string[];
  /** Undefined if none was run. */
  checks: CheckSummary | undefined;
  checkMs: number;
  /** An interruption kept the checks from deciding. */
  cutShort: boolean;
  /** A session has changed the tree since the task first started. */
  changed: boolean;
  /** Files the session wrote that no commit will contain. */
  hidden: readonly string[];
  /** Files the session changed that a check's runner reads by itself, and links that lead out of the tree; in words. */
  readByChecks: readonly string[];
  /** Why green checks prove nothing, in words. */
  unproved: readonly string[];
  /** What experiments say, where a task may close only as proven. */
  proof: TreeProof | undefined;
  /** Files that nothing of the task's sessions names, if they are all that changed. */
  unnamed: readonly string[];
  /** Why it is right that nothing was changed; absent if it is not. */
  needsNothing: string | undefined;
  /** Only the fixer's answers are red. */
  onlyAnswers: boolean;
  /** Conflicts with what landed meanwhile are unresolved. */
  isUnmerged: boolean;
  /** For the agent: what is red and its output, bounded. */
  evidence: string;
  fingerprint: string | undefined;
}>;

/** A turn that ended, and the repository as it was before its session. */
export type EndedTurn = Readonly<{
  outcome: Outcome;
  before: Snapshot;
  session?: number;
  /** Files that its tools wrote, as the agent named them. */
  written?: readonly string[];
  /** A fixer's answers; absent for a task. */
  said?: Said;
  /** The guard's reasons against the round that were found earlier, in words. */
  reds?: readonly string[];
  /** Conflicts with what landed meanwhile, in words: nothing is checked until they are resolved. */
  unmerged?: readonly string[];
  /** Conflicts that were left as the merge made them, in words: green checks do not prove that they are right. */
  unproved?: readonly string[];
  /** What happened to the tree, for the next message, if something is red. */
  told?: string;
}>;

export async function inspect(place: WorkPlace, work: Work, turn: EndedTurn): Promise<Inspection> {
  const guarded = await guardTurn(place, work, turn);
  const { tree, changed, hidden, answers, guard, whose } = guarded;
  const made = guard.length === 0 ? findChangedMade(place, work) : new Map<string, number>();
  const checked = isToBeChecked(work, turn, guarded)
    ? await checkTree(place, work, tree)
    : { tree, runs: undefined, restless: [], cutShort: false };
  const taken = await takeNeeded(place, work, { checked, changed: made });
  const before = taken.hasMore ? formatRefused(taken.tree) : guard;
  const touched = isGreen({ ...checked, ...taken }, before)
    ? await judgeTouched(place, work, { tree: taken.tree, whose })
    : { reds: [], read: [] };
  const seen = describe(place, work, {
    ...{ ...checked, ...taken, guard: [...before, ...touched.reds] },
    changed: taken.hasMore ? isChanged(place, work, taken.tree.tree) : changed,
    ...{ hidden, read: [...touched.read, ...findOutsideLinks(place, work, taken.tree.files)] },
  });
  const unproved = [...seen.unproved, ...taken.unproved, ...(turn.unproved ?? [])];
  const isOver = isGreen({ ...checked, ...taken }, seen.reds) && seen.checks && isTurnEnd(turn.outcome);
  const proof = isOver
    ? await proveTree(place, work, { tree: taken.tree, checks: seen.checks, unproved })
    : undefined;
  const proofTold = proof ? formatTreeProof(proof) : '';
  return {
    ...seen,
    unproved,
    proof,
    evidence: [turn.told ?? '', seen.evidence, proofTold].filter((part) => part !== '').join('\n\n'),
    isUnmerged: (turn.unmerged ?? []).length > 0,
    needsNothing: findIdle(work, turn.said),
    unnamed: findUnclaimed(place, work, taken.tree.files),
    onlyAnswers:
      answers.length > 0 && answers.length === guard.length && (seen.checks?.red ?? []).length === 0,
  };
}

/** What is known before the checks. `guard`: all reasons against the round, including `answers`, in words. */
type Guarded = Readonly<{
  tree: WrittenTree;
  changed: boolean;
  whose: Whose;
  /** A check that reads one would wait for ever. */
  pipes: readonly string[];
  hidden: readonly IgnoredFile[];
  answers: readonly string[];
  guard: readonly string[];
}>;

/** Restores what the session must not change, writes tree T, and says what is wrong with it. */
async function guardTurn(place: WorkPlace, work: Work, turn: EndedTurn): Promise<Guarded> {
  const whose = { task: work.task.id, ...defined({ session: turn.session }) };
  const reds = await restoreAll(place, work, { before: turn.before, whose });
  await placeTests(place, work);
  const tree = await writeWorkTree(place, work, 'session');
  const pipes = findNamedPipes(place.repo.root, checksOf(place, work.planSnapshot, work.task));
  const changed = isChanged(place, work, tree.tree);
  const tamper = await noteTamper(place, work, tree);
  const answers = turn.said && isTurnEnd(turn.outcome) ? judgeAnswers(turn.said, changed) : [];
  const written = turn.written ?? [];
  const hidden = await noteHidden(place, work, written);
  const before = [...(turn.reds ?? []), ...reds, ...(turn.unmerged ?? [])];
  const guard = [...before, ...pipes, ...formatRefused(tree), ...tamper, ...answers];
  return { tree, changed, whose, pipes, hidden, answers, guard };
}

function isToBeChecked(work: Work, turn: EndedTurn, { changed, pipes }: Guarded): boolean {
  const isIdle = policyOf(work).mayChangeNothing && !changed;
  const isUnmerged = (turn.unmerged ?? []).length > 0;
  return pipes.length === 0 && !isUnmerged && !isIdle && isWorthChecking(work, turn.outcome);
}

/** Only what is green so far asks what made it so. */
function isGreen({ runs = [], restless, cutShort }: Checked, guard: readonly string[]): boolean {
  return runs.length > 0 && redOnes(runs).length + restless.length + guard.length === 0 && !cutShort;
}

function formatTreeProof({ word, reasons, missed }: TreeProof): string {
  return [...(word === 'proven' ? [] : reasons), ...missed].map((text) => `- ${text}`).join('\n');
}

function findIdle(work: Work, said: Said | undefined): string | undefined {
  if (work.kind === 'finalize') return 'no file had to be changed';
  return rejectsAll(said) ? 'every finding is rejected with a reason' : undefined;
}

function formatRefused({ refused }: WrittenTree): readonly string[] {
  return refused.map(({ file, detail }) => `${file}: ${detail}`);
}

function describe(
  place: Place,
  work: Work,
  found: Checked &
    Readonly<{
      guard: readonly string[];
      changed: boolean;
      hidden: readonly IgnoredFile[];
      read: readonly string[];
    }>,
): Omit<Inspection, 'proof' | 'needsNothing' | 'unnamed' | 'onlyAnswers' | 'isUnmerged'> {
  const { runs = [] } = found;
  const counts = describeCounts(place, work, found);
  const restless = found.restless.map(
    (file) => `the checks write ${file} every time they run: commit its final form, or ignore it`,
  );
  const reds = [...found.guard, ...restless];
  const fingerprint = [fingerprintOf(runs), ...reds].filter((part) => part !== undefined).join(' ');
  return {
    written: found.tree,
    reds,
    checks: found.runs && summarizeChecks(work, found.runs),
    checkMs: runs.reduce((total, run) => total + run.durationMs, 0),
    cutShort: found.cutShort,
    changed: found.changed,
    hidden: found.hidden.map(({ file }) => file),
    readByChecks: [...found.read, ...counts],
    unproved: [...found.read, ...counts],
    evidence: formatEvidence(
      place,
      [...reds, ...formatHidden(found.hidden), ...found.read, ...counts],
      redOnes(runs),
    ),
    fingerprint: fingerprint === '' ? undefined : fingerprint,
  };
}

/** After a session that was cut off, checks run only if a task check could prove the work without the agent's word. */
export function isWorthChecking(work: Work, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'done':
    case 'already-done':
    case 'silent':
    case 'failed':
      return true;
    case 'crashed':
    case 'timed-out':
    case 'stuck':
    case 'unfinished':
    case 'limited':
    case 'overloaded':
    case 'over-budget':
      // The agent's word is part of the proof if the plan's checks do not cover everything.
      return work.start.red.length > 0 && policyOf(work).provedByChecks;
    case 'needs-input':
    case 'replan':
    case 'refused':
    case 'interrupted':
      return false;
  }
}

function formatEvidence(place: Place, notes: readonly string[], red: readonly CheckRun[]): string {
  const guard = notes.map((reason) => `- ${reason}`).join('\n');
  const alreadyRed = new Set(red.filter((run) => wasRed(place, run)).map((run) => run.check.id));
  const checks = red.length > 0 ? formatCheckEvidence(red, { alreadyRed }) : '';
  return [guard, checks].filter((part) => part !== '').join('\n\n');
}
