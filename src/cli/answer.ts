// `pawl answer`: puts a person's answer to a parked task into the journal of a stopped run; the next attempt gets it.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { Journal, readJournal } from '../journal/journal.ts';
import { takeLock } from '../journal/lock.ts';
import { maskSecrets } from '../journal/mask.ts';
import { foldRun, type TaskState } from '../journal/state.ts';
import type { Command } from './command.ts';
import { type CliContext, print } from './context.ts';
import { findPlace, type Place } from './place.ts';

export type AnswerOptions = Readonly<{ plan?: string }>;

/** Shows the questions, or answers one. */
export const answerTask: Command<AnswerOptions> = async (context, [task, ...words], { plan }) => {
  const place = findPlace(context.cwd);
  const run = place && findRun(context, place, plan);
  if (!place || !run) throw new Failure('usage', 'there is no run here', { hint: 'pawl run starts one.' });
  const parked = findParked(run);
  if (task === undefined) {
    for (const { id, title, question } of parked) print(context, `Task ${id} (${title}) asks: ${question}`);
    if (parked.length === 0) print(context, 'No task waits for an answer.');
    return 0;
  }
  const answer = words.join(' ').trim();
  if (answer === '') throw new Failure('usage', 'the answer is empty', { hint: `pawl answer ${task} "…"` });
  if (!parked.some(({ id }) => id === task)) throw notParked(task, parked);
  using _lock = takeLock(place.gitDir, run.run, context.now());
  const journal = new Journal(run.folder, maskSecrets(context.env));
  journal.append({ type: 'task-answered', task, answer }, context.now());
  journal.append({ type: 'intervention', kind: 'answer', text: `task ${task} was answered` }, context.now());
  journal.close();
  print(context, `Task ${task} gets it with its next attempt: pawl run ${run.started.plan}`);
  return 0;
};

function findRun(context: CliContext, place: Place, plan: string | undefined): RunFolder | undefined {
  const runs = listRuns(place.commonDir);
  if (plan === undefined) return runs[0];
  const file = path.resolve(context.cwd, plan);
  return runs.find(({ started }) => path.resolve(place.root, started.plan) === file);
}

function findParked(run: RunFolder): readonly TaskState[] {
  const tasks = foldRun(readJournal(run.folder))?.tasks.values() ?? [];
  return [...tasks].filter(({ standing }) => standing === 'parked');
}

function notParked(task: string, parked: readonly TaskState[]): Failure {
  const waiting = parked.map(({ id }) => id).join(', ');
  return new Failure('usage', `task ${task} does not wait for an answer`, {
    hint: waiting === '' ? 'No task does.' : `These do: ${waiting}`,
  });
}
