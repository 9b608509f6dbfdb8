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
import { findEditedChecks } from '../guard/edited-checks.ts';
import { formatHidden, formatHiddenWork } from '../guard/ignored-files.ts';
import { formatReached } from '../guard/left-lane.ts';
import { findOutsideLinks } from '../guard/outside-links.ts';
import { isTurnEnd } from '../judge/judge.ts';
import type { CheckSummary } from '../judge/verdict.ts';
import { judgeAnswers, rejectsAll, type Said } from '../kind/fix-answers.ts';
import { writeWorkTree } from '../note-tree.ts';
import type { WorkPlace } from '../ports.ts';
import { fingerprintOf, isCutShort, redOnes, wasRed } from '../tree/run-checks.ts';
import { isChanged } from '../tree/work-tree.ts';
import { checksOf, isHookCheck, policyOf, stateOf, type Work } from '../work.ts';
import { findChangedMade, takeNeeded } from './needed-files.ts';

/** What was seen in the repository after a turn. */
export type Inspection = Readonly<{
  /** Tree T as the checks left it. */
  written: WrittenTree;
  /** The guard's reasons against the round, in words. */
  reds: readonly string[];
  /** Undefined when none was run. */
  checks: CheckSummary | undefined;
  checkMs: number;
  /** An interruption kept the checks from deciding. */
  cutShort: boolean;
  /** A session changed the tree since the task's first start. */
  changed: boolean;
  /** Files the session wrote that no commit will have. */
  hidden: readonly string[];
  /** Files the session changed that a check's runner reads by itself, and links that lead out of the tree, in words. */
  readByChecks: readonly string[];
  /** Why green checks are no proof, in words. */
  unproved: readonly string[];
  /** Why it is right where nothing was changed; absent: it is not. */
  needsNothing: string | undefined;
  /** Nothing is red but what a fixer said. */
  onlyAnswers: boolean;
  /** Conflicts with what landed beside it are not resolved. */
  isUnmerged: boolean;
  /** For the agent: what is red and what it printed, bounded. */
  evidence: string;
  fingerprint: string | undefined;
}>;

/** A turn that ended, and what the repository was like before its session. */
export type EndedTurn = Readonly<{
  outcome: Outcome;
  before: Snapshot;
  session?: number;
  /** Files that its tools wrote, as the agent named them. */
  written?: readonly string[];
  /** What a fixer said; absent for a task. */
  said?: Said;
  /** The guard's reasons against the round that were found before, in words. */
  reds?: readonly string[];
  /** Conflicts with what landed beside it, in words: nothing is checked before they are resolved. */
  unmerged?: readonly string[];
  /** Conflicts that were left as the merge had them, in words: green checks do not prove that to be right. */
  unproved?: readonly string[];
  /** For the next message, where something is red: what happened to the tree. */
  told?: string;
}>;

/** Inspects the repository after a turn. */
export async function inspect(place: WorkPlace, work: Work, turn: EndedTurn): Promise<Inspection> {
  const whose = { task: work.task.id, ...defined({ session: turn.session }) };
  const reds = await place.ports.repository.restoreRepository(place, work, { before: turn.before, whose });
  const tree = await writeWorkTree(place, work, 'session');
  const edited = findEditedChecks(place, work, { whose, files: tree.files });
  const changed = isChanged(place, work, tree.tree);
  const tamper = await place.ports.repository.noteTamper(place, work, tree);
  const answers = turn.said && isTurnEnd(turn.outcome) ? judgeAnswers(turn.said, changed) : [];
  const hidden = await place.ports.repository.noteIgnored(place, work, {
    look: tree.look,
    written: turn.written ?? [],
  });
  const { unmerged = [] } = turn;
  const guard = [
    ...(turn.reds ?? []),
    ...reds,
    ...unmerged,
    ...edited.reds,
    ...formatRefused(tree),
    ...tamper,
    ...answers,
  ];
  const isIdle = policyOf(work).mayChangeNothing && !changed;
  // A check that was itself changed proves nothing, and would run what the agent wrote in its place.
  const made = guard.length === 0 ? findChangedMade(place, work) : new Map<string, number>();
  const checked =
    edited.reds.length > 0 || unmerged.length > 0 || isIdle || !isWorthChecking(work, turn.outcome)
      ? { tree, runs: undefined, restless: [], cutShort: false }
      : await checkTree(place, work, tree);
  const taken = await takeNeeded(place, work, { checked, changed: made });
  const seen = describe(place, work, {
    ...{ ...checked, ...taken, guard: taken.hasMore ? formatRefused(taken.tree) : guard },
    changed: taken.hasMore ? isChanged(place, work, taken.tree.tree) : changed,
    ...{ hidden, read: [...edited.read, ...findOutsideLinks(place, work, taken.tree.files)] },
  });
  return {
    ...seen,
    unproved: [...seen.unproved, ...taken.unproved, ...(turn.unproved ?? []), ...formatReached(place, work)],
    evidence: [turn.told ?? '', seen.evidence].filter((part) => part !== '').join('\n\n'),
    isUnmerged: unmerged.length > 0,
    needsNothing: findIdle(work, turn.said),
    onlyAnswers:
      answers.length > 0 && answers.length === guard.length && (seen.checks?.red ?? []).length === 0,
  };
}

function findIdle(work: Work, said: Said | undefined): string | undefined {
  if (work.kind === 'finalize') return 'no file had to be changed';
  return rejectsAll(said) ? 'every finding is rejected with a reason' : undefined;
}

/** A tree after its checks: what they said, and the tracked files they write every time. */
type Checked = Readonly<{
  tree: WrittenTree;
  runs: readonly CheckRun[] | undefined;
  restless: readonly string[];
  cutShort: boolean;
}>;

function formatRefused({ refused }: WrittenTree): readonly string[] {
  return refused.map(({ file, detail }) => `${file}: ${detail}`);
}

/** Runs the checks; if they changed tracked files, once more on what they made of the tree. */
async function checkTree(place: WorkPlace, work: Work, first: WrittenTree): Promise<Checked> {
  const checks = checksOf(place, work.planSnapshot, work.task);
  let tree = first;
  for (let pass = 1; ; pass += 1) {
    const { checks: past } = stateOf(place, work.task);
    const { runs: found, after: seen } = await place.ports.checks.run(place, checks, {
      when: 'after',
      task: work.task,
      look: tree.look,
    });
    const runs = (await place.landing?.confirmReds(work, found, past)) ?? found;
    // What ran once more may have written into the tree.
    const look = runs === found ? seen : undefined;
    const after = runs.length === 0 ? tree : await writeWorkTree(place, work, 'check', { look, last: tree });
    const cutShort = isCutShort(place, checks, runs);
    const restless = after.tree === tree.tree ? [] : changedBetween(tree, after);
    if (restless.length === 0 || pass === 2 || cutShort) return { tree: after, runs, restless, cutShort };
    tree = after;
  }
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
): Omit<Inspection, 'needsNothing' | 'onlyAnswers' | 'isUnmerged'> {
  const { runs = [] } = found;
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
    readByChecks: found.read,
    unproved: [...formatHiddenWork(found.hidden), ...found.read],
    evidence: formatEvidence(place, [...reds, ...formatHidden(found.hidden), ...found.read], redOnes(runs)),
    fingerprint: fingerprint === '' ? undefined : fingerprint,
  };
}

function summarizeChecks(work: Work, runs: readonly CheckRun[]): CheckSummary {
  const ids = new Set(work.task.checks.map(({ id }) => id));
  const own = runs.filter(
    (run) => run.check.scope === 'task' && ids.has(run.check.id) && run.result === 'green',
  );
  const excused = runs.filter((run) => run.check.knownRed && run.result !== 'green').length;
  return {
    ran: runs.filter(({ check }) => !isHookCheck(check)).length - excused,
    excused,
    red: redOnes(runs).map((run) => run.check.command),
    turnedGreen: own.some((run) => work.start.red.includes(run.check.id)),
    ownGreen: own.length > 0,
  };
}

/** A session that was cut off is checked only where a task check could prove its work without its word. */
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
      // The word is part of the work where the plan's checks do not say it all.
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

function changedBetween(before: WrittenTree, after: WrittenTree): readonly string[] {
  const old = new Map(before.files.map((file) => [file.file, JSON.stringify(file)]));
  const names = after.files
    .filter((file) => old.get(file.file) !== JSON.stringify(file))
    .map(({ file }) => file);
  return names.length > 0 ? names : ['a tracked file'];
}
