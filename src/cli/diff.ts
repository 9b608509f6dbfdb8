// `pawl diff`: what a run, or one of its tasks, has changed since it began.
import { commitNow } from '../event/rewritten.ts';
import { Failure } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import type { RunState } from '../journal/state.ts';
import { needPlace, needRun, placeOfRun, readRun } from '../start/find-run.ts';
import { runQuietly } from '../start/run-quietly.ts';
import type { Command } from './command.ts';

export type DiffOptions = Readonly<{ plan?: string; stat?: boolean }>;

/** No program of the repository's is asked to show a file. */
const safely = ['-c', 'core.fsmonitor=false', 'diff', '--no-ext-diff', '--no-textconv'];

/** Prints the difference; exit 0 also where there is none. */
export const showDiff: Command<DiffOptions> = async (context, [task], { plan, stat }) => {
  const place = needPlace(context);
  const run = needRun(context, place, { plan });
  const tree = placeOfRun(place, run);
  const state = readRun(run);
  const isHere = readHead(tree).branch === run.started.branch;
  const commits = task === undefined ? commitsOfRun(state, isHere) : commitsOfTask(state, task, isHere);
  const look = [...(stat ? ['--stat'] : []), ...(context.colour ? ['--color=always'] : [])];
  const args = [...safely, ...look, ...commits, '--'];
  const { code, stdout, stderr } = await runQuietly(context, 'git', args, {
    cwd: tree.root,
    timeoutMs: 60_000,
  });
  if (code !== 0) throw new Failure('environment', `git cannot show the difference: ${stderr.trim()}`);
  context.stdout.write(stdout);
  return 0;
};

/** Where its branch is checked out, with what is not committed yet. */
function commitsOfRun({ started }: RunState, isHere: boolean): readonly string[] {
  return isHere ? [started.base] : [started.base, started.branch];
}

function commitsOfTask(state: RunState, id: string, isHere: boolean): readonly string[] {
  const task = state.tasks.get(id);
  if (!task)
    throw new Failure('usage', `there is no task ${id} in ${state.started.plan}`, {
      hint: `It has ${[...state.tasks.keys()].join(', ')}.`,
    });
  if (task.closed) {
    const oid = commitNow(state, task.closed.oid);
    return [`${oid}^`, oid];
  }
  if (task.start && isHere) return [task.start.commit];
  throw new Failure('usage', `task ${id} has changed nothing here yet`, {
    hint: '`pawl status` says where the run stands; `pawl rescue list` shows work that was set aside.',
  });
}
