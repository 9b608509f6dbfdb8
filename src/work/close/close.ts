// The closing protocol, safe against a kill at any point. Only once the session is dead.
import type { Outcome } from '../../agent/session/session-plan.ts';
import { boundText, fingerprint, formatCheckEvidence } from '../../check/evidence.ts';
import { tellingLine } from '../../check/telling-line.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { type CommitRejected, type Committed, commitTree, uncommit } from '../../git/commit/commit.ts';
import { moveIndex, replaceIndex, setIndex } from '../../git/tree/index-file.ts';
import { withFile } from '../../git/tree/vary.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { tickTask } from '../../plan/tick.ts';
import { runSettledChecks } from '../guard/check-writes.ts';
import type { Verdict } from '../judge/verdict.ts';
import { fixedOf } from '../kind/fix-answers.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { wordAtClose } from '../prove/prove-task.ts';
import { bringTreeTo } from '../rescue/rescue-point.ts';
import { writeKeptPlan } from '../restart-files.ts';
import { fingerprintOf, isCutShort, redOnes } from '../tree/run-checks.ts';
import { isChanged, writeTreeNow } from '../tree/work-tree.ts';
import { checksOf, isOfPlan, type Work } from '../work.ts';
import { closeMessage, fixMessage, hookWords, passMessageHooks } from './commit-message.ts';
import { confirmClose } from './confirm-close.ts';

export type Rejection = Readonly<{
  reason: string;
  evidence: string;
  fingerprint: string | undefined;
  /** A person ended the run before the checks had decided. */
  interrupted?: true;
  /** The branch has moved; nothing is wrong with the work. */
  isOvertaken?: true;
  isOfPreCommit?: true;
}>;

const nothing = { evidence: '', fingerprint: undefined };
const cutShortRejection: Rejection = { ...nothing, reason: 'interrupted', interrupted: true };

/** Tree T as judged, its ticks and parent. */
export type Close = Readonly<{
  tree: string;
  ticked: Ticked;
  parent: string;
  verdict: Extract<Verdict, { kind: 'close' }>;
  /** By experiments on this tree. */
  isJudged: boolean;
  outcome: Outcome['kind'];
}>;

/** One commit holds work and ticks. Undefined when closed, else why not; nothing is lost then. */
export async function closeTask(place: Place, work: Work, close: Close): Promise<Rejection | undefined> {
  const rejection = await commitClose(place, work, close);
  const fixed = rejection?.isOfPreCommit ? await takeFixes(place, work, close.tree) : undefined;
  return fixed ? commitClose(place, work, { ...close, ...fixed }) : rejection;
}

async function commitClose(place: Place, work: Work, close: Close): Promise<Rejection | undefined> {
  // At most one close exists on this machine alone.
  await place.run.options.carried?.();
  if (place.run.state().carry?.fenced) return cutShortRejection;
  refuseElsewhere(place);
  if (!isOfPlan(work) && !isChanged(place, work, close.tree)) {
    emitUnchanged(place, work, close.verdict.reason);
    return undefined;
  }
  const { text: ticked, tree, index } = close.ticked;
  if (index !== place.index) moveIndex(index, place.index, { isSynced: false });
  // After a crash between tick and commit, the plan is unticked from these bytes.
  writeKeptPlan(place, work.planSnapshot.text);
  const { parent } = close;
  const { proof, reason, summary } = close.verdict;
  const what = { task: work.task.id, parent, tree, key: place.run.random(16) };
  const word = wordAtClose(place, work, { ...close, proof });
  const closing = { type: 'closing', ...what, ...word, summary, reason, outcome: close.outcome } as const;
  place.run.emit(closing);
  // The journal masks known secrets.
  const own = messageOf(place, work, place.run.state().closing ?? closing);
  const message = await passMessageHooks(place, { task: work.task.id, message: own });
  if (message === undefined) return cutShortRejection;
  if (place.plan.tracked) writePlanFile(place.plan.file, ticked);
  const commit = await commitTree(place.repo, {
    tree,
    parent,
    message,
    mark: `PAWL_CHECK=${place.run.folder}/commit`,
  });
  return finishClose(place, work, { closing, commit, ticked });
}

function emitUnchanged(place: Place, work: Work, reason: string): void {
  const fix = work.kind === 'fix' ? { fix: { stage: work.fix.stage, round: work.fix.round } } : {};
  place.run.emit({ type: 'work', state: 'ended', task: work.task.id, ...fix, result: 'nothing', reason });
}

function messageOf(place: Place, work: Work, closing: FactOf<'closing'>): string {
  return work.kind === 'fix'
    ? fixMessage(place, { closing, fixed: fixedOf(place, work.fix) })
    : closeMessage(place, work, closing);
}

async function finishClose(
  place: Place,
  work: Work,
  made: { closing: FactOf<'closing'>; commit: Committed | CommitRejected; ticked: string },
): Promise<Rejection | undefined> {
  const { closing, commit, ticked } = made;
  if ('rejectedBy' in commit) return rejected(place, work, commit);
  if (commit.tree !== closing.tree) {
    const rejection = await checkCommit(place, work, { oid: commit.oid, parent: closing.parent });
    if (rejection) return rejection;
  }
  if (place.lane && !(await landCommit(place, work, { oid: commit.oid, closing }))) return overtaken;
  if (!place.lane) await place.home?.bring();
  confirmClose(place, closing, { ticked, ...commit });
  return undefined;
}

export async function landCommit(
  place: Place,
  work: Work,
  { oid, closing }: Readonly<{ oid: string; closing: FactOf<'closing'> }>,
): Promise<boolean> {
  const { task, parent } = closing;
  if (!place.lane || (await place.lane.land({ oid, parent, task }))) return true;
  await uncommit(place.repo, { run: place.run.id, oid, parent });
  writePlanFile(place.plan.file, work.planSnapshot.text);
  return false;
}

const overtaken: Rejection = { ...nothing, reason: 'the branch has moved', isOvertaken: true };

/** A refusal by pre-commit is evidence, like a red check; by any other hook a Failure. */
function rejected(place: Place, work: Work, commit: CommitRejected): Rejection {
  writePlanFile(place.plan.file, work.planSnapshot.text);
  const output = boundText(commit.output, hookWords);
  if (commit.rejectedBy === 'pre-commit') {
    const says = tellingLine(commit.output);
    return {
      reason: `the pre-commit hook rejected the commit${says === undefined ? '' : `: ${says}`}`,
      evidence: `The repository's pre-commit hook rejected the commit:\n\n${output}`,
      fingerprint: fingerprint('pre-commit', 'red', commit.output),
      isOfPreCommit: true,
    };
  }
  throw new Failure('hook', `git could not commit task ${work.task.id}: ${output.trim()}`, {
    hint: `The work is kept in ${place.repo.root}. Fix the hook, signing or identity, then run the same command again.`,
  });
}

/** A hook changed the tree, so it is not what was checked: the checks decide again. */
export async function checkCommit(
  place: Place,
  work: Work,
  commit: { oid: string; parent: string },
): Promise<Rejection | undefined> {
  const name = commit.oid.slice(0, 10);
  const reason = `before the checks of ${name}, which a hook changed`;
  const isBrought = await bringTreeTo(place, commit.oid, { reason });
  const checks = checksOf(place, work.planSnapshot, work.task);
  const { runs } = await runSettledChecks(place, checks, { when: 'verify', task: work.task });
  const red = redOnes(runs);
  const cutShort = isCutShort(place, checks, runs);
  if (red.length === 0 && !cutShort) return undefined;
  const { tree = commit.parent } = place.run.state().closing ?? {};
  if (isBrought) await bringTreeTo(place, tree, { reason: `the files as ${name} had them` });
  const kept = await uncommit(place.repo, { run: place.run.id, oid: commit.oid, parent: commit.parent });
  writePlanFile(place.plan.file, work.planSnapshot.text);
  const how = cutShort ? 'its checks were interrupted' : 'the checks are red on it';
  const detail = `a commit hook changed the tree of ${name}, and ${how}`;
  place.run.emit({
    type: 'act-found',
    task: work.task.id,
    act: 'committed',
    detail,
    response: 'absorbed',
    kept,
  });
  if (cutShort) return cutShortRejection;
  const evidence = `A commit hook of the repository changed the files while committing, and then:\n\n${formatCheckEvidence(red)}`;
  return {
    reason: 'red on the commit, which a hook had changed',
    evidence,
    fingerprint: fingerprintOf(runs),
  };
}

async function takeFixes(
  place: Place,
  work: Work,
  refused: string,
): Promise<Readonly<{ tree: string; ticked: Ticked }> | undefined> {
  const { tree } = await writeTreeNow(place);
  if (tree === refused) return undefined;
  const checks = checksOf(place, work.planSnapshot, work.task);
  const { runs } = await runSettledChecks(place, checks, { when: 'verify', task: work.task });
  if (redOnes(runs).length > 0 || isCutShort(place, checks, runs)) return undefined;
  const text = `the pre-commit hook changed files and refused the commit of task ${work.task.id}; with its changes the checks are green, so pawl commits once more`;
  place.run.emit({ type: 'noticed', code: 'hook-fixed', text });
  return { tree, ticked: await tickTree(place, work, tree) };
}

/** `index`: pawl's own index file that holds the tree. */
type Ticked = Readonly<{ text: string; tree: string; index: string }>;

/** `tree` is usually that of the run's index. Works in a copy, so that the index stays usable. */
export async function tickTree(place: Place, work: Work, tree: string): Promise<Ticked> {
  const text = tickWork(work);
  if (!place.plan.tracked) return { text, tree, index: place.index };
  const index = `${place.index}.ticked`;
  replaceIndex(place.index, index);
  await setIndex(place.repo, tree, index);
  return { text, tree: await withFile(place.repo, index, place.plan.name, Buffer.from(text)), index };
}

export function tickWork(work: Work): string {
  return isOfPlan(work) ? tickTask(work.planSnapshot.plan, work.task.id) : work.planSnapshot.text;
}
