// `pawl undo`: undoes a closed task, for the next run to do again.
import { defined } from '../defined.ts';
import { Disposal } from '../disposal.ts';
import { Failure } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import type { Repo } from '../git/run/repo.ts';
import type { RunFolder } from '../journal/folder.ts';
import { Journal } from '../journal/journal.ts';
import { closeOf } from '../journal/task-state.ts';
import { bringHome, notesOf } from '../phase/ground/own-ground.ts';
import { type StillRun, type TaskUndone, undoClosedTask } from '../phase/resume/undo-task.ts';
import { formatCount } from '../report/text/figure.ts';
import { shellWord } from '../shell-word.ts';
import { type CliContext, print, printLines, printNote } from '../start/context.ts';
import { findRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { maskKnown } from '../start/messages.ts';
import { enterTreeOf, holdRun, homeRepoOf, openPlace } from '../start/open-place.ts';
import type { Command } from './command.ts';

/** `withLater`: also the commits on top of the task's. `run`: a word; default: the run last worked on. */
export type UndoFlags = Readonly<{ withLater?: boolean; run?: string }>;

export const undoCommand: Command<UndoFlags> = async (context, [task = ''], options) => {
  const { withLater, run } = options;
  const place = needPlace(context);
  const { runs, newest } = findOfPlan(context, place, run);
  const tree = enterTreeOf(context, place, newest);
  using _lock = holdRun(context, tree, newest.run);
  const closer = findCloser(runs, newest, task);
  const { repo, config } = await openPlace(context, place, { tree });
  using stack = new Disposal();
  const mask = await maskKnown(context);
  const open = (run: RunFolder): StillRun => {
    const journal = stack.use(new Journal(run.folder, mask));
    const append: StillRun['append'] = (fact) => void journal.append(fact, context.now());
    return { id: run.run, folder: run.folder, state: readRun(run), append };
  };
  const newestRun = open(newest);
  const undone = await undoClosedTask({
    repo,
    config,
    task,
    newest: newestRun,
    closer: closer.run === newest.run ? newestRun : open(closer),
    ...defined({ withLater }),
  });
  await bringToHome(context, repo, newest);
  const { carry } = readRun(newest);
  const isHere = readHead(place).branch === closer.started.branch;
  const rows = formatUndone(undone, { run: closer, plan: newest.started.plan, isHere });
  printLines(context, rows);
  if (carry && !carry.fenced)
    print(context, `${carry.remote} is told by that run: until then the task is closed for other machines.`);
  return 0;
};

/** For a run in its own ground: the person's repository has the branch, too. */
async function bringToHome(context: CliContext, repo: Repo, run: RunFolder): Promise<void> {
  const { worktree, started } = readRun(run);
  if (worktree?.path !== repo.root) return;
  const of = { ground: repo, home: homeRepoOf(repo, worktree.from), run: run.run, branch: started.branch };
  const notes = notesOf((text) => printNote(context, text));
  await bringHome(of, run.folder, notes);
}

/** The runs of the plan meant: the next start continues the newest, whichever was last worked on. A review has no tasks. */
function findOfPlan(context: CliContext, place: Place, word: string | undefined) {
  const all = findRuns(context, place);
  const last = needRun(context, place, word);
  const passes = word === undefined && last.started.review;
  const { started } = (passes && all.find((run) => !run.started.review)) || last;
  const runs = all.filter((run) => run.started.plan === started.plan);
  return { runs, newest: runs[0] ?? last };
}

/** The newest whose commit closed the task; for an undo that was cut off, the one it began with. */
function findCloser(runs: readonly RunFolder[], newest: RunFolder, task: string): RunFolder {
  const { undoing } = readRun(newest);
  const closer = runs.find((run) =>
    undoing?.task === task
      ? run.run === undoing.closer
      : readRun(run).tasks.get(task)?.standing.is === 'closed',
  );
  if (closer) return closer;
  const { tasks, fixes } = readRun(newest);
  const beside = fixes.get(task);
  const closed = [...tasks.values()].filter(({ standing }) => standing.is === 'closed').map(({ id }) => id);
  const why = beside
    ? `${task} is ${beside.fix ? `the fix of ${beside.fix.findings.join(', ')} by the review` : 'the finalizing'}, no task of the plan`
    : tasks.has(task)
      ? `no run of ${newest.started.plan} has closed task ${task}`
      : `${newest.started.plan} has no task ${task}`;
  const oid = beside && closeOf(beside)?.oid.slice(0, 10);
  throw new Failure('usage', `${why}: there is nothing to undo`, {
    hint: oid
      ? `\`git revert ${oid}\` reverts only its commit; \`pawl undo <task> --with-later\` undoes a task and all that was built on it.`
      : `Closed by the plan's newest run: ${closed.join(', ') || 'none'}. What was ticked by hand is open once its boxes are unticked.`,
  });
}

function formatUndone(
  undone: TaskUndone,
  { run, plan, isHere }: Readonly<{ run: RunFolder; plan: string; isHere: boolean }>,
): readonly string[] {
  const { branch } = run.started;
  const { reopened, rescue } = undone;
  const which = reopened.length === 1 ? `Task ${reopened[0]} is` : `Tasks ${reopened.join(', ')} are`;
  const saved = `  saved before: ${rescue.slice(0, 10)} (pawl rescue show ${rescue.slice(0, 10)} --run ${run.run})`;
  const notHeld = undone.notHeld.map(({ file, why }) => `  not in it, and left alone: ${file} (${why})`);
  const next = `Next: pawl run ${shellWord(plan)}`;
  const { taken, kept } = undone;
  return [
    `${which} open again; ${formatCount(taken.length, 'commit')} taken back:`,
    ...taken.map(({ oid, message }) => `  ${oid.slice(0, 10)}  ${message.split('\n', 1)[0]}`),
    `  ${branch} is at ${(undone.task.parent ?? '').slice(0, 10)} again; where it was is kept as ${kept}`,
    // Another branch that is checked out here must not follow.
    `  to get it all back: ${isHere ? `git merge --ff-only ${kept}` : `git fetch . ${shellWord(`${kept}:refs/heads/${branch}`)}`}`,
    saved,
    ...notHeld,
    next,
  ];
}
