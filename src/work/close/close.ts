// The closing protocol, safe against a kill at any point. Only once the session is dead.
import type { Outcome } from '../../agent/session/session-plan.ts';
import { boundText, fingerprint, formatCheckEvidence } from '../../check/evidence.ts';
import { tellingLine } from '../../check/telling-line.ts';
import { moveFile } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { type CommitRejected, commitTree, uncommit } from '../../git/commit/commit.ts';
import { replaceIndex, setIndex, writeIndexTree } from '../../git/tree/index-file.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { withFile } from '../../git/tree/vary.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { tickTask } from '../../plan/tick.ts';
import { runSettledChecks } from '../guard/check-writes.ts';
import type { Verdict } from '../judge/verdict.ts';
import { emitEnded } from '../kind/fix.ts';
import { fixedOf } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { restorePlan } from '../plan/plan-snapshot.ts';
import { wordAtClose } from '../prove/prove-task.ts';
import { bringTreeTo } from '../rescue/rescue-point.ts';
import { writeKeptPlan } from '../restart-files.ts';
import { fingerprintOf, redOnes } from '../tree/run-checks.ts';
import { isChanged, writeTreeNow } from '../tree/work-tree.ts';
import { checksOf, isOfPlan, type Work } from '../work.ts';
import { closeMessage, fixMessage, hookWords, passMessageHooks } from './commit-message.ts';
import { confirmClose } from './confirm-close.ts';

/** What the next attempt is told. */
type Refusal = Readonly<{
  reason: string;
  evidence: string;
  fingerprint: string | undefined;
  isOfPreCommit?: true;
}>;

/** `interrupted`: a person ended the run before the checks had decided; `overtaken`: the branch has moved. */
type Rejection = 'interrupted' | 'overtaken' | Refusal;

/** Tree T as judged, and its ticks. */
type Close = Readonly<{
  written: WrittenTree;
  ticked: Ticked;
  verdict: Extract<Verdict, { kind: 'close' }>;
  /** By experiments on this tree. */
  isJudged: boolean;
  outcome: Outcome['kind'];
}>;

/** One commit holds work and ticks. Undefined when closed, else why not; nothing is lost then. */
export async function closeTask(place: WorkPlace, work: Work, close: Close): Promise<Rejection | undefined> {
  const rejection = await commitClose(place, work, close);
  const isOfPreCommit = typeof rejection === 'object' && rejection.isOfPreCommit;
  const written = isOfPreCommit ? await takeFixes(place, work, close.written) : undefined;
  if (!written) return rejection;
  return commitClose(place, work, { ...close, written, ticked: await tickTree(place, work, written.tree) });
}

async function commitClose(place: WorkPlace, work: Work, close: Close): Promise<Rejection | undefined> {
  // At most one close exists on this machine alone.
  await place.run.options.carried?.();
  if (place.run.state().carry?.fenced) return 'interrupted';
  refuseElsewhere(place);
  const { written, isJudged, outcome } = close;
  const { proof, reason, summary } = close.verdict;
  if (!isOfPlan(work) && !isChanged(place, work, written.tree)) {
    emitEnded(place, work.task.id, { result: 'nothing', reason });
    return undefined;
  }
  const { text: ticked, tree, index } = close.ticked;
  if (index !== place.index) moveFile(index, place.index, { isSynced: false });
  // After a crash between tick and commit, the plan is unticked from these bytes.
  writeKeptPlan(place, work.plan.text);
  const parent = written.look.head.commit ?? '';
  const what = { task: work.task.id, parent, tree, key: place.run.random(16) };
  const word = wordAtClose(place, work, { proof, tree: written.tree, isJudged });
  const closing = { type: 'closing', ...what, ...word, summary, reason, outcome } as const;
  place.run.emit(closing);
  // The journal masks known secrets.
  const masked = place.run.state().closing ?? closing;
  const own =
    work.kind === 'fix'
      ? fixMessage(place, { closing: masked, fixed: fixedOf(place, work.fix) })
      : closeMessage(place, work, masked);
  const message = await passMessageHooks(place, { task: work.task.id, message: own });
  if (message === undefined) return 'interrupted';
  // While hooks ran, a person may have switched branches, or edited the plan.
  refuseElsewhere(place);
  untickPlan(place, work);
  if (place.plan.tracked) writePlanFile(place.plan.file, ticked);
  const mark = `PAWL_CHECK=${place.run.folder}/commit` as const;
  const commit = await commitTree(place.repo, { tree, parent, message, mark });
  if (!('oid' in commit)) return rejected(place, work, commit);
  if (commit.tree !== tree) {
    const rejection = await checkCommit(place, work, { oid: commit.oid, parent });
    if (rejection) return rejection;
  }
  if (!(await landCommit(place, work, { oid: commit.oid, closing }))) return 'overtaken';
  if (!place.landing) await place.home?.bring();
  confirmClose(place, closing, { ticked, ...commit });
  return undefined;
}

/** False if the branch has moved: the commit is taken back. */
export async function landCommit(
  place: WorkPlace,
  work: Work,
  { oid, closing }: Readonly<{ oid: string; closing: FactOf<'closing'> }>,
): Promise<boolean> {
  const { task, parent } = closing;
  if (!place.landing || (await place.landing.land({ oid, parent, task }))) return true;
  await uncommit(place.repo, { run: place.run.id, oid, parent });
  untickPlan(place, work);
  return false;
}

/** A refusal by pre-commit is evidence, like a red check; by any other hook a Failure. */
function rejected(place: Place, work: Work, commit: CommitRejected): Refusal {
  untickPlan(place, work);
  const output = boundText(commit.output, hookWords);
  if (commit.hook === 'pre-commit') {
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
  commit: Readonly<{ oid: string; parent: string }>,
): Promise<'interrupted' | Refusal | undefined> {
  const name = commit.oid.slice(0, 10);
  const brought = await bringTreeTo(place, commit.oid, {
    reason: `before the checks of ${name}, which a hook changed`,
  });
  const { red, runs, cutShort } = await verify(place, work);
  if (red.length === 0 && !cutShort) return undefined;
  const { tree = commit.parent } = place.run.state().closing ?? {};
  if (brought) await bringTreeTo(place, tree, { reason: `the files as ${name} had them` });
  const kept = await uncommit(place.repo, { run: place.run.id, ...commit });
  untickPlan(place, work);
  const how = cutShort ? 'its checks were interrupted' : 'the checks are red on it';
  const detail = `a commit hook changed the tree of ${name}, and ${how}`;
  const act = { act: 'committed', detail, response: 'absorbed', kept } as const;
  place.run.emit({ type: 'act-found', task: work.task.id, ...act });
  if (cutShort) return 'interrupted';
  return {
    reason: 'red on the commit, which a hook had changed',
    evidence: `A commit hook of the repository changed the files while committing, and then:\n\n${formatCheckEvidence(red)}`,
    fingerprint: fingerprintOf(runs),
  };
}

async function verify(place: Place, work: Work) {
  const checks = checksOf(place, work.plan, work.task);
  const { runs, cutShort } = await runSettledChecks(place, checks, { when: 'verify', task: work.task });
  return { runs, red: redOnes(runs), cutShort };
}

/** What the pre-commit hook that refused the commit has made of the tree, if it is green. */
async function takeFixes(place: Place, work: Work, refused: WrittenTree): Promise<WrittenTree | undefined> {
  const { tree } = await writeTreeNow(place);
  if (tree === refused.tree) return undefined;
  const { red, cutShort } = await verify(place, work);
  if (red.length > 0 || cutShort) return undefined;
  const text = `the pre-commit hook changed files and refused the commit of task ${work.task.id}; with its changes the checks are green, so pawl commits once more`;
  place.run.emit({ type: 'noticed', code: 'hook-fixed', text });
  return { ...refused, tree };
}

/** `index`: pawl's own index file that holds the tree. */
export type Ticked = Readonly<{ text: string; tree: string; index: string }>;

/** `tree` is usually that of the run's index. Works in a copy, so that the index stays usable. */
export async function tickTree(place: Place, work: Work, tree: string): Promise<Ticked> {
  const text = tickWork(work);
  if (!place.plan.tracked) return { text, tree, index: place.index };
  const index = `${place.index}.ticked`;
  replaceIndex(place.index, index);
  if ((await writeIndexTree(place.repo, index)) !== tree) await setIndex(place.repo, tree, index);
  return { text, tree: await withFile(place.repo, index, place.plan.name, Buffer.from(text)), index };
}

export function tickWork(work: Work): string {
  return isOfPlan(work) ? tickTask(work.plan, work.task.id) : work.plan.text;
}

/** What is neither that nor the plan as the session got it is set aside: a hook may take minutes. */
export function untickPlan(place: Place, work: Work): void {
  restorePlan(place, work.plan.text, { task: work.task.id, own: tickWork(work) });
}
