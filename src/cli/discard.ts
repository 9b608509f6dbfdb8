// `pawl discard`: discards a run, after a question.

import { existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../failure.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import type { RunFolder } from '../journal/folder.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock } from '../journal/lock.ts';
import type { RunState } from '../journal/state.ts';
import { isDiscarded } from '../journal/state.ts';
import { bringHome, notesOf } from '../phase/ground/own-ground.ts';
import {
  type DiscardPlan,
  type DiscardRequest,
  discardRun,
  planDiscard,
} from '../phase/resume/discard-run.ts';
import { formatCount } from '../report/text/figure.ts';
import { cleanText } from '../report/text/line.ts';
import { shellWord } from '../shell-word.ts';
import { isConfirmed } from '../start/confirm.ts';
import { type CliContext, printLines, printNote, printNoteLines, prose } from '../start/context.ts';
import {
  findLastWorked,
  findRunHolder,
  findRuns,
  needPlace,
  needRun,
  placeOfRun,
  readRun,
} from '../start/find-run.ts';
import { lookAtOwnGround, removeOwnGround } from '../start/ground/remove.ts';
import type { Place } from '../start/locate.ts';
import { maskKnown } from '../start/mask-known.ts';
import { openPlace, openPlainRepo, rescueOptionsOf } from '../start/open-place.ts';
import type { Command } from './command.ts';

export type DiscardOptions = Readonly<{ yes?: boolean }>;

export const discardCommand: Command<DiscardOptions> = async (context, [plan], { yes = false }) => {
  const place = needPlace(context);
  // A report-only review changed nothing: its plan's run is meant.
  const changing = findRuns(context, place, plan).filter(({ started }) => !started.review?.reportOnly);
  const run = findLastWorked(place, changing) ?? needRun(context, place, plan);
  const state = readRun(run);
  refuse(place, run, state);
  const tree = placeOfRun(place, run);
  using _lock = acquireLock(tree.gitDir, run.run, context.now());
  const home = await openPlainRepo(context, place);
  const { repo } = await openPlace(context, place, { tree });
  const look = async () => {
    const request = await makeRequest(context, repo, { run, state, tree, home });
    return { request, found: await planDiscard(request) };
  };
  const first = await look();
  const asks = !yes && state.discard === undefined;
  if (asks && !(await isMeant(context, state, first.found))) return 2;
  const { request, found } = asks ? await look() : first;
  if (!isDeepStrictEqual(found, first.found)) throw hasChanged(tree);
  using journal = new Journal(run.folder, await maskKnown(context));
  const from = state.worktree?.from ?? place.root;
  const removeTree =
    state.worktree && (() => removeOwnGround(context, { ...request, home, from, saved: found.saved }));
  const append: DiscardRequest['run']['append'] = (fact) => void journal.append(fact, context.now());
  const kept = await discardRun({ ...request, run: { ...request.run, append } }, found, removeTree);
  printLines(context, formatDone(run, found, kept).map(prose));
  return 0;
};

function refuse(place: Place, run: RunFolder, state: RunState): void {
  const { plan, planning } = run.started;
  const holder = findRunHolder(place, run.run);
  if (holder)
    throw new Failure(
      'locked',
      `pawl (process ${holder.pid}) has been working on run ${run.run} since ${holder.since}`,
      { hint: `Stop it first; its work is kept: \`pawl stop ${shellWord(plan)}\`` },
    );
  if (planning)
    throw new Failure(
      'usage',
      `run ${run.run} only plans, and has changed nothing: there is nothing to discard`,
    );
  if (isDiscarded(state))
    throw new Failure('usage', `run ${run.run} of ${plan} is discarded already`, {
      hint: `\`pawl run ${shellWord(plan)}\` starts over.`,
    });
  if (state.undoing)
    throw new Failure('preflight', `taking task ${state.undoing.task} back was interrupted`, {
      hint: `\`pawl undo ${state.undoing.task}\` finishes it.`,
    });
  if (state.worktree && existsSync(state.worktree.path) && realpathSync(state.worktree.path) === place.root)
    throw new Failure('preflight', `this is the run's own ground, which would be removed`, {
      hint: `cd ${state.worktree.from}, and run the same command there.`,
    });
}

async function makeRequest(
  context: CliContext,
  repo: Repo,
  { run, state, tree, home }: Readonly<{ run: RunFolder; state: RunState; tree: Place; home: Repo }>,
): Promise<DiscardRequest> {
  const own = state.worktree;
  const ownTree = own !== undefined && existsSync(own.path) && tree.root === realpathSync(own.path);
  if (own && !ownTree && existsSync(own.path)) throw isStrange(own.path);
  const rescue = rescueOptionsOf({ run: run.run, folder: run.folder });
  const still = { id: run.run, folder: run.folder, state, append: () => undefined };
  const ignored = ownTree ? await lookAtOwnGround(repo, own.from) : [];
  // A kill may have come before the branch reached the person's repository.
  const of = { ground: repo, home, run: run.run, branch: state.started.branch };
  const notes = notesOf((text) => printNote(context, text));
  if (ownTree) await bringHome(of, run.folder, notes);
  return { repo, home, run: still, rescue: { ...rescue, ignored }, ownTree };
}

function isStrange(folder: string): Failure {
  return new Failure('preflight', `${folder}, where the run worked, is no longer a ground of it`, {
    hint: 'Take what you need out of it, and remove it. Then run the same command again.',
  });
}

function hasChanged({ root }: Place): Failure {
  return new Failure('preflight', `${root} has changed since the question: nothing was discarded`, {
    hint: 'Run the same command again.',
  });
}

function formatPlan({ started, worktree }: RunState, plan: DiscardPlan): readonly string[] {
  const files = plan.files.map(cleanText);
  return [
    `Run ${started.run} of ${started.plan} is to be discarded:`,
    `  ${formatBranch(plan)}${plan.commits > 0 ? `; ${formatCount(plan.commits, 'commit')} kept as a ref` : ''}`,
    ...(worktree && existsSync(worktree.path) ? [`  ${worktree.path} is removed`] : []),
    ...(files.length > 0 ? [`  not committed, and saved as a rescue: ${fewOf(files, 10)}`] : []),
    ...plan.lanes.map(formatLane),
  ];
}

function formatLane({ lane, folder, saved }: DiscardPlan['lanes'][number]): string {
  if (!saved) return `  lane ${lane} stays, since git cannot read it: ${folder}`;
  const { files } = saved;
  const held = files.length > 0 ? `; in it, and saved as a rescue: ${fewOf(files.map(cleanText), 10)}` : '';
  return `  lane ${lane} is removed${held}`;
}

function formatBranch({ branch, head, back, tree }: DiscardPlan): string {
  if (head === undefined) return `branch ${branch} is gone already`;
  if (back !== undefined) return `branch ${branch} goes back to ${back.slice(0, 10)}, where the run began`;
  return `branch ${branch} is removed${tree?.onto === undefined ? '' : `, and ${tree.onto} checked out again`}`;
}

async function isMeant(context: CliContext, state: RunState, plan: DiscardPlan): Promise<boolean> {
  printNoteLines(context, formatPlan(state, plan).map(prose));
  if (!context.canAsk)
    throw new Failure('usage', 'nothing was discarded, because nobody confirmed it', {
      hint: `\`pawl discard --yes ${shellWord(state.started.plan)}\` does it without asking.`,
    });
  return isConfirmed(context, 'Discard it?');
}

function formatDone({ run, started }: RunFolder, plan: DiscardPlan, kept: string): readonly string[] {
  const { branch, back, head, uncommitted } = plan;
  const files = plan.files.length > 0 ? ` (${fewOf(plan.files.map(cleanText))})` : '';
  const again = back === undefined ? `git branch ${branch} ${kept}` : `git merge --ff-only ${kept}`;
  return [
    `Run ${run} of ${started.plan} is discarded.`,
    ...(head === undefined ? [] : [`  to get its commits back: ${again}`]),
    ...(uncommitted === undefined
      ? []
      : [
          `  and then what was not committed${files}: pawl rescue restore ${uncommitted.slice(0, 10)} --run ${run}`,
        ]),
    ...plan.lanes.flatMap(({ lane, saved }) =>
      saved && saved.files.length > 0
        ? `  to see what lane ${lane} held: pawl rescue show ${saved.oid.slice(0, 10)} --run ${run}`
        : [],
    ),
    ...plan.lanes.flatMap(({ saved, folder }) => (saved ? [] : `  left as it is: ${folder}`)),
    `Next: \`pawl run ${shellWord(started.plan)}\` starts over`,
  ];
}
