// `pawl discard`: gives a run up, after a question. What that does to git is ../git/rescue/discard.ts.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { removeOwnFolder } from '../disk.ts';
import { isDiscarded } from '../event/run.ts';
import { Failure } from '../failure.ts';
import { findIgnoredWork } from '../git/place/ignored-work.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import type { RunFolder } from '../journal/folder.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock } from '../journal/lock.ts';
import { maskSecrets } from '../journal/mask.ts';
import type { RunState } from '../journal/state.ts';
import { type DiscardPlan, type DiscardRequest, discardRun, planDiscard } from '../phase/resume/discard.ts';
import { formatCount } from '../report/text/figure.ts';
import { cleanText } from '../report/text/line.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { findRunHolder, needPlace, needRun, placeOfRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { openPlace, openPlainRepo, rescueOptionsOf } from '../start/open-place.ts';
import { judgeIgnored } from '../start/worktree/reclaim.ts';
import { freeSlot } from '../start/worktree/slot.ts';
import type { Command } from './command.ts';

export type DiscardOptions = Readonly<{ yes?: boolean }>;

/** Gives a run up. */
export const discardCommand: Command<DiscardOptions> = async (context, [plan], { yes = false }) => {
  const place = needPlace(context);
  const run = needRun(context, place, { plan });
  const state = readRun(run);
  refuse(place, run, state);
  const tree = placeOfRun(place, run);
  using _lock = acquireLock(tree.gitDir, run.run, context.now());
  const request = await makeRequest(context, place, { run, state, tree });
  const found = await planDiscard(request);
  if (!yes && state.discard === undefined && !(await isMeant(context, state, found))) return 2;
  using journal = openJournal(context, run);
  const own = state.worktree?.path;
  const removeTree = own === undefined ? undefined : () => removeOwnTree(context, place, own);
  const append: DiscardRequest['run']['append'] = (fact) => void journal.append(fact, context.now());
  const kept = await discardRun({ ...request, run: { ...request.run, append } }, found, removeTree);
  for (const line of formatDone(run, found, kept)) print(context, line);
  return 0;
};

function refuse(place: Place, run: RunFolder, state: RunState): void {
  const { plan, planning } = run.started;
  const holder = findRunHolder(place, run.run);
  if (holder)
    throw new Failure(
      'locked',
      `pawl (process ${holder.pid}) works on run ${run.run} since ${holder.since}`,
      {
        hint: `End it first, its work is kept: \`pawl stop --plan ${plan}\``,
      },
    );
  if (planning)
    throw new Failure(
      'usage',
      `run ${run.run} only plans, and has changed nothing: there is nothing to discard`,
    );
  if (isDiscarded(state))
    throw new Failure('usage', `run ${run.run} of ${plan} is discarded already`, {
      hint: `\`pawl run ${plan}\` begins anew.`,
    });
  if (state.undoing)
    throw new Failure('preflight', `taking task ${state.undoing.task} back was cut off in the middle`, {
      hint: `\`pawl undo ${state.undoing.task}\` finishes it.`,
    });
  if (state.worktree?.path === place.root)
    throw new Failure('preflight', `this is the run's own working tree, which would be removed`, {
      hint: `cd ${state.worktree.from}, and run the same command there.`,
    });
}

async function makeRequest(
  context: CliContext,
  place: Place,
  { run, state, tree }: Readonly<{ run: RunFolder; state: RunState; tree: Place }>,
): Promise<DiscardRequest> {
  const { repo, config } = await openPlace(context, place, tree);
  const ownTree = tree.root === state.worktree?.path;
  const rescue = rescueOptionsOf(config, { run: run.run, folder: run.folder });
  const still = { id: run.run, folder: run.folder, state, append: () => undefined };
  if (!ownTree || state.discard) return { repo, run: still, rescue, ownTree };
  const found = await findIgnoredWork(repo, state.worktree?.from ?? place.root);
  const why = judgeIgnored(found);
  if (why !== undefined)
    throw new Failure('preflight', `${tree.root} would be removed, and ${why}`, {
      hint: 'Move it elsewhere, then run the same command again.',
    });
  return { repo, run: still, rescue: { ...rescue, ignored: found.files }, ownTree };
}

/** All that it holds is saved: half of it may be gone by a kill. */
async function removeOwnTree(context: CliContext, place: Place, tree: string): Promise<Repo> {
  const repo = await openPlainRepo(context, place);
  if (existsSync(tree)) removeOwnFolder(tree);
  await repo.write('prune worktrees', ['worktree', 'prune']);
  freeSlot(path.dirname(tree));
  return repo;
}

function formatPlan({ started, worktree }: RunState, plan: DiscardPlan): readonly string[] {
  const files = plan.files.map(cleanText);
  return [
    `Run ${started.run} of ${started.plan} is to be discarded:`,
    `  ${formatBranch(plan)}${plan.commits > 0 ? `; ${formatCount(plan.commits, 'commit')} kept as a ref` : ''}`,
    ...(worktree && existsSync(worktree.path) ? [`  ${worktree.path} is removed`] : []),
    ...(files.length > 0 ? [`  not committed, and saved as a rescue: ${fewOf(files, 10)}`] : []),
  ];
}

function formatBranch({ branch, head, back, tree }: DiscardPlan): string {
  if (head === undefined) return `${branch} is gone already`;
  if (back !== undefined) return `${branch} goes back to ${back.slice(0, 10)}, where the run began`;
  return `${branch} is removed${tree?.onto === undefined ? '' : `, and ${tree.onto} checked out again`}`;
}

async function isMeant(context: CliContext, state: RunState, plan: DiscardPlan): Promise<boolean> {
  for (const line of formatPlan(state, plan)) printNote(context, line);
  if (!context.canAsk)
    throw new Failure('usage', 'Nothing was discarded: it needs your word.', {
      hint: `pawl discard --yes ${state.started.plan}`,
    });
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: 'Discard it?',
    initialValue: false,
    input: context.stdin,
    output: context.stderr,
  });
  return !isCancel(answer) && answer;
}

function openJournal(context: CliContext, { folder }: RunFolder) {
  const journal = new Journal(folder, maskSecrets(context.env));
  return {
    append: journal.append.bind(journal),
    [Symbol.dispose]: () => journal.close(),
  };
}

function formatDone({ run, started }: RunFolder, plan: DiscardPlan, kept: string): readonly string[] {
  const { branch, back, head, uncommitted } = plan;
  const files = plan.files.length > 0 ? ` (${fewOf(plan.files.map(cleanText))})` : '';
  const again = back === undefined ? `git branch ${branch} ${kept}` : `git merge --ff-only ${kept}`;
  return [
    `Run ${run} of ${started.plan} is discarded.`,
    ...(head === undefined ? [] : [`  to have its commits back: ${again}`]),
    ...(uncommitted === undefined
      ? []
      : [
          `  and then what was not committed${files}: pawl rescue restore ${uncommitted.slice(0, 10)} --run ${run}`,
        ]),
    `Next: pawl run ${started.plan} starts over`,
  ];
}
