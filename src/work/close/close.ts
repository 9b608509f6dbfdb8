// The closing protocol, so that a kill can fall anywhere: announce, tick, commit, confirm. Called only after the session is dead.
import type { Outcome } from '../../agent/session/outcome.ts';
import { boundText, formatCheckEvidence } from '../../check/evidence.ts';
import { headNow } from '../../event/rewritten.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { changedFiles } from '../../git/changes.ts';
import { type CommitRejected, type Committed, commitTree, uncommit } from '../../git/commit.ts';
import { moveIndex } from '../../git/index-file.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import type { Context } from '../../place/context.ts';
import { writePlanFile } from '../../plan/file.ts';
import { fingerprintOf, isCutShort, redOnes, runChecks } from '../inspect/run-checks.ts';
import { isChanged } from '../inspect/work-tree.ts';
import type { Verdict } from '../judge/verdict.ts';
import { fixedOf } from '../kind/fix-answers.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { hashPlan } from '../plan/plan-snapshot.ts';
import { bringTreeTo } from '../rescue/rescue-point.ts';
import { keepPlan } from '../run-files.ts';
import { checksOf, isOfPlan, type Work } from '../work.ts';
import { closeMessage, fixMessage } from './message.ts';
import { hookWords, passMessageHooks } from './message-hooks.ts';
import type { Ticked } from './tick-tree.ts';

/** Why a close did not happen: evidence for the next attempt. */
export type Rejection = Readonly<{
  reason: string;
  evidence: string;
  fingerprint: string | undefined;
  /** A person ended the run before the checks had decided. */
  interrupted?: true;
}>;

const cutShortRejection: Rejection = {
  reason: 'interrupted',
  evidence: '',
  fingerprint: undefined,
  interrupted: true,
};

/** Closes a task on tree T: one commit holds its work and its ticks. Undefined when closed, else why not; nothing is lost then. */
export async function closeTask(
  ctx: Context,
  work: Work,
  close: {
    tree: string;
    ticked: Ticked;
    verdict: Extract<Verdict, { kind: 'close' }>;
    outcome: Outcome['kind'];
  },
): Promise<Rejection | undefined> {
  refuseElsewhere(ctx);
  // Beside the plan's tasks no commit is needed where nothing had to be changed.
  if (!isOfPlan(work) && !isChanged(ctx, work, close.tree)) {
    tellUnchanged(ctx, work, close.verdict.reason);
    return undefined;
  }
  const { text: ticked, tree, index } = close.ticked;
  if (index !== ctx.index) moveIndex(ctx.repo, index, ctx.index);
  // The bytes before the ticks: a crash between tick and commit unticks from them.
  keepPlan(ctx, work.truth.text);
  const parent = await readHeadCommit(ctx.repo);
  const { proof, reason, summary } = close.verdict;
  const what = { task: work.task.id, parent, tree, key: ctx.random(16) };
  const closing = { type: 'closing', ...what, proof, summary, reason, outcome: close.outcome } as const;
  ctx.emit(closing);
  // As the journal has it: with known secrets masked.
  const own = messageOf(ctx, work, ctx.state().closing ?? closing);
  const message = await passMessageHooks(ctx, { task: work.task.id, message: own });
  if (message === undefined) return cutShortRejection;
  if (ctx.plan.tracked) writePlanFile(ctx.plan.file, ticked);
  const commit = await commitTree(ctx.repo, {
    tree,
    index: ctx.index,
    parent,
    message,
    ...(ctx.config.commit.author === undefined ? {} : { author: ctx.config.commit.author }),
    mark: `PAWL_CHECK=${ctx.run.folder}/commit`,
  });
  return finishClose(ctx, work, { closing, commit, ticked, checked: close.tree });
}

function tellUnchanged(ctx: Context, { fix, start }: Work, reason: string): void {
  if (fix) {
    const { stage, round } = fix;
    ctx.emit({ type: 'fix-ended', stage, round, result: 'nothing', reason });
    return;
  }
  const isRewritten = headNow(ctx.state(), start.commit) !== start.commit;
  ctx.emit(
    isRewritten
      ? { type: 'finalize-ended', result: 'rewritten', reason: 'the commits are others, the files the same' }
      : { type: 'finalize-ended', result: 'nothing', reason },
  );
}

function messageOf(ctx: Context, work: Work, closing: FactOf<'closing'>): string {
  return work.fix
    ? fixMessage(ctx, { closing, fixed: fixedOf(ctx, work.fix) })
    : closeMessage(ctx, work, closing);
}

async function finishClose(
  ctx: Context,
  work: Work,
  made: { closing: FactOf<'closing'>; commit: Committed | CommitRejected; ticked: string; checked: string },
): Promise<Rejection | undefined> {
  const { closing, commit, ticked, checked } = made;
  if ('rejectedBy' in commit) return rejected(ctx, work, commit);
  const isAsked = commit.tree === closing.tree;
  if (!isAsked) {
    const rejection = await checkCommit(ctx, work, { oid: commit.oid, parent: closing.parent });
    if (rejection) return rejection;
  }
  // But for the ticks, which are no work, what was asked for is what was checked; and what that changed is known.
  await confirmClose(ctx, closing, { oid: commit.oid, ticked, work: isAsked ? checked : commit.oid });
  return undefined;
}

/** A hook rejected the commit: from pre-commit it is evidence like a red check, from another a failure of the environment. */
function rejected(ctx: Context, work: Work, commit: CommitRejected): Rejection {
  writePlanFile(ctx.plan.file, work.truth.text);
  const output = boundText(commit.output, hookWords);
  if (commit.rejectedBy === 'pre-commit') {
    const evidence = `The repository's pre-commit hook rejected the commit:\n\n${output}`;
    return { reason: 'the pre-commit hook rejected the commit', evidence, fingerprint: 'pre-commit' };
  }
  throw new Failure('hook', `git could not commit task ${work.task.id}: ${output.trim()}`, {
    hint: 'The work is kept in the tree. Put the hook, signing or identity right, then run the same command again.',
  });
}

/** The commit's tree is not the one that was checked, because a hook changed it: the checks decide on the commit, which the working tree is made to be. */
export async function checkCommit(
  ctx: Context,
  work: Work,
  commit: { oid: string; parent: string },
): Promise<Rejection | undefined> {
  const name = commit.oid.slice(0, 10);
  const reason = `before the checks of ${name}, which a hook changed`;
  const isBrought = await bringTreeTo(ctx, commit.oid, { reason });
  const checks = checksOf(ctx, work.truth, work.task);
  const { runs } = await runChecks(ctx, checks, { when: 'verify', task: work.task });
  const red = redOnes(runs);
  const cutShort = isCutShort(ctx, checks, runs);
  if (red.length === 0 && !cutShort) return undefined;
  const { tree = commit.parent } = ctx.state().closing ?? {};
  if (isBrought) await bringTreeTo(ctx, tree, { reason: `the files as ${name} had them` });
  const kept = await uncommit(ctx.repo, { run: ctx.run.id, oid: commit.oid, parent: commit.parent });
  writePlanFile(ctx.plan.file, work.truth.text);
  const how = cutShort ? 'its checks were interrupted' : 'the checks are red on it';
  const detail = `a commit hook changed the tree of ${name}, and ${how}`;
  ctx.emit({ type: 'act-found', task: work.task.id, act: 'committed', detail, response: 'absorbed', kept });
  if (cutShort) return cutShortRejection;
  const evidence = `A commit hook of the repository changed the files while committing, and then:\n\n${formatCheckEvidence(red, { maxBytes: ctx.config.check.evidenceKb * 1024 })}`;
  return {
    reason: 'red on the commit, which a hook had changed',
    evidence,
    fingerprint: fingerprintOf(runs),
  };
}

/** The last step: the commit stands; the plan is ticked where it was not part of it, and the journal told. `work`: a tree that differs from the commit's in the plan alone; default: the commit. */
export async function confirmClose(
  ctx: Context,
  closing: FactOf<'closing'>,
  { oid, ticked, work = oid }: Readonly<{ oid: string; ticked: string; work?: string }>,
): Promise<void> {
  if (!ctx.plan.tracked && !ctx.state().fixes.has(closing.task)) writePlanFile(ctx.plan.file, ticked);
  const changed = await changedFiles(ctx.repo, closing.parent, work);
  // The ticks in the plan are no work.
  const files = changed.filter(({ file }) => file !== ctx.plan.name);
  ctx.emit({
    type: 'task-closed',
    task: closing.task,
    oid,
    proof: closing.proof,
    reason: closing.reason,
    summary: closing.summary,
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    planHash: hashPlan(ticked),
  });
}
