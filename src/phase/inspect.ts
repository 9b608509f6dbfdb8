// After a turn: puts back what is not the agent's business, writes tree T, runs the checks, and says what it saw.
// It judges nothing; `judge.ts` does.
import type { Outcome } from '../agent/outcome.ts';
import type { CheckRun } from '../check/checks.ts';
import { changedDefinitions } from '../check/definition.ts';
import { wordCheckEvidence } from '../check/evidence.ts';
import { judgeSecret } from '../check/secret.ts';
import { findTamper } from '../check/tamper.ts';
import { putBack } from '../git/absorb.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { diffText, type WrittenTree, writeTree } from '../git/tree.ts';
import { putBackOptions } from './begin.ts';
import type { CheckSummary } from './judge.ts';
import type { Context } from './phase.ts';
import { fingerprintOf, redOnes, runChecks } from './run-checks.ts';
import { putPlanBack } from './truth.ts';
import { checksOf, readDefinitions, stateOf, type Work } from './work.ts';

/** What was seen in the repository after a turn. */
export type Inspection = Readonly<{
  /** Object id of tree T as the checks left it. */
  tree: string;
  /** The guard's reasons against the round, in words. */
  reds: readonly string[];
  /** Undefined when none was run. */
  checks: CheckSummary | undefined;
  checkMs: number;
  /** A session changed the tree since the task's first start. */
  changed: boolean;
  /** For the agent: what is red and what it printed, bounded. */
  evidence: string;
  fingerprint: string | undefined;
}>;

/** Inspects the repository after a turn that ended with `outcome`. */
export async function inspect(
  ctx: Context,
  work: Work,
  turn: Readonly<{ outcome: Outcome; before: Snapshot; session?: number }>,
): Promise<Inspection> {
  const whose = { task: work.task.id, ...(turn.session === undefined ? {} : { session: turn.session }) };
  const reds = await putAllBack(ctx, work, { before: turn.before, whose });
  const renamed = findChangedDefinitions(ctx, work, whose);
  const tree = await writeWorkTree(ctx, work, 'session');
  const tamper = await noteTamper(ctx, work, tree);
  const guard = [
    ...reds,
    ...renamed,
    ...tree.refused.map((file) => `${file.file}: ${file.detail}`),
    ...tamper,
  ];
  const changed = !stateOf(ctx, work.task).untouched.includes(tree.tree);
  if (renamed.length > 0 || !isWorthChecking(work, turn.outcome)) {
    return summarize(ctx, { tree, guard, changed, runs: undefined, restless: [] });
  }
  return { ...(await checkTree(ctx, work, { tree, guard })), changed };
}

async function putAllBack(
  ctx: Context,
  work: Work,
  found: { before: Snapshot; whose: { task: string; session?: number } },
): Promise<readonly string[]> {
  const { acts } = await putBack(
    ctx.repo,
    found.before,
    putBackOptions(ctx, stateOf(ctx, work.task).tree ?? work.start.tree),
  );
  for (const { red: _, ...act } of acts) ctx.emit({ type: 'act-found', ...found.whose, ...act });
  putPlanBack(ctx, work.truth, found.whose);
  return acts.flatMap((act) => act.red ?? []);
}

function findChangedDefinitions(
  ctx: Context,
  work: Work,
  whose: { task: string; session?: number },
): readonly string[] {
  const now = readDefinitions(ctx, checksOf(ctx, work.truth, work.task), work.task);
  return changedDefinitions(work.start.definitions, now, work.task.files).map(({ file, key, detail }) => {
    const name = key === undefined ? file : `${key} in ${file}`;
    ctx.emit({
      type: 'act-found',
      ...whose,
      act: 'edited-check',
      detail: `${name}: ${detail}`,
      response: 'refused',
    });
    return `${name} decides about this task and was changed: ${detail}. Put it back as it was.`;
  });
}

/** Writes tree T and tells the journal; by whom it was changed decides whether it counts as work. */
export async function writeWorkTree(ctx: Context, work: Work, by: 'session' | 'check'): Promise<WrittenTree> {
  const state = ctx.state();
  const written = await writeTree(ctx.repo, ctx.index, {
    against: work.start.tree,
    rules: {
      userUntracked: new Set(state.started.untracked),
      checkMade: new Set(state.checkMade),
      allow: ctx.config.commit.allow,
      include: ctx.config.commit.include,
      maxFileMb: ctx.config.commit.maxFileMb,
    },
    secret: judgeSecret,
  });
  const task = work.task.id;
  const { untouched } = stateOf(ctx, work.task);
  const insertions = sum(written.files.map((file) => file.insertions));
  const deletions = sum(written.files.map((file) => file.deletions));
  for (const refused of written.refused) ctx.emit({ type: 'file-refused', task, ...refused });
  ctx.emit({
    type: 'tree-written',
    task,
    tree: written.tree,
    files: written.files.length,
    insertions,
    deletions,
    by,
    untouched:
      untouched.includes(written.tree) || (by === 'check' && untouched.includes(lastTree(ctx, work))),
  });
  return written;
}

async function checkTree(
  ctx: Context,
  work: Work,
  found: { tree: WrittenTree; guard: readonly string[] },
): Promise<Omit<Inspection, 'changed'>> {
  const checks = checksOf(ctx, work.truth, work.task);
  const newFiles = new Set(
    found.tree.files.filter((file) => file.status === 'added').map((file) => file.file),
  );
  const options = { when: 'after', task: work.task, newFiles } as const;
  let tree = found.tree;
  for (let pass = 1; ; pass += 1) {
    const runs = await runChecks(ctx, checks, options);
    const after = runs.length === 0 ? tree : await writeWorkTree(ctx, work, 'check');
    const restless = after.tree === tree.tree ? [] : changedBetween(tree, after);
    if (restless.length === 0 || pass === 2) {
      return summarize(ctx, { tree: after, guard: found.guard, changed: true, runs, restless });
    }
    tree = after;
  }
}

function summarize(
  ctx: Context,
  found: {
    tree: WrittenTree;
    guard: readonly string[];
    changed: boolean;
    runs: readonly CheckRun[] | undefined;
    restless: readonly string[];
  },
): Inspection {
  const runs = found.runs ?? [];
  const restless = found.restless.map(
    (file) => `the checks write ${file} every time they run: commit its final form, or ignore it`,
  );
  const reds = [...found.guard, ...restless];
  const red = redOnes(runs);
  const fingerprint = [fingerprintOf(runs), ...reds].filter((part) => part !== undefined).join(' ');
  return {
    tree: found.tree.tree,
    reds,
    checks: found.runs && summarizeChecks(ctx, found.runs),
    checkMs: sum(runs.map((run) => run.durationMs)),
    changed: found.changed,
    evidence: wordEvidence(reds, red, ctx.config.check.evidenceKb * 1024),
    fingerprint: fingerprint === '' ? undefined : fingerprint,
  };
}

function summarizeChecks(ctx: Context, runs: readonly CheckRun[]): CheckSummary {
  const own = runs.filter((run) => run.check.scope === 'task' && run.result === 'green');
  const redBefore = new Set([...ctx.state().tasks.values()].flatMap((task) => task.start?.red ?? []));
  return {
    ran: runs.length,
    red: redOnes(runs).map((run) => run.check.command),
    turnedGreen: own.some((run) => redBefore.has(run.check.id)),
    ownGreen: own.length > 0,
  };
}

async function noteTamper(ctx: Context, work: Work, tree: WrittenTree): Promise<readonly string[]> {
  if (tree.tree === work.start.tree) return [];
  const diff = await diffText(ctx.repo, work.start.tree, tree.tree, { maxBytes: 4 * 1024 * 1024 });
  const known = new Set(stateOf(ctx, work.task).tamper.map((note) => `${note.file} ${note.detail}`));
  const notes = findTamper(diff, tree.files);
  for (const note of notes) {
    if (!known.has(`${note.file} ${note.detail}`))
      ctx.emit({ type: 'tamper-noted', task: work.task.id, ...note });
  }
  if (ctx.config.tamper === 'warn') return [];
  return notes.map((note) => `${note.file}: ${note.detail}`);
}

/** A session that was cut off is checked only where a task check could prove its work without its word. */
function isWorthChecking(work: Work, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'done':
    case 'already-done':
    case 'silent':
    case 'failed':
      return true;
    case 'crashed':
    case 'timed-out':
    case 'unfinished':
    case 'limited':
    case 'overloaded':
      return work.start.red.length > 0;
    case 'needs-input':
    case 'replan':
    case 'refused':
    case 'over-budget':
    case 'interrupted':
      return false;
  }
}

function wordEvidence(reds: readonly string[], red: readonly CheckRun[], most: number): string {
  const guard = reds.map((reason) => `- ${reason}`).join('\n');
  const checks = red.length > 0 ? wordCheckEvidence(red, { maxBytes: most }) : '';
  return [guard, checks].filter((part) => part !== '').join('\n\n');
}

function changedBetween(before: WrittenTree, after: WrittenTree): readonly string[] {
  const old = new Map(before.files.map((file) => [file.file, JSON.stringify(file)]));
  const names = after.files
    .filter((file) => old.get(file.file) !== JSON.stringify(file))
    .map((file) => file.file);
  return names.length > 0 ? names : ['a tracked file'];
}

function lastTree(ctx: Context, work: Work): string {
  return stateOf(ctx, work.task).tree ?? work.start.tree;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
