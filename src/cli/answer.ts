// `pawl answer`: shows what parked tasks ask, or records a person's answer to one for its next attempt.
import { Failure } from '../failure.ts';
import type { RunState } from '../journal/state.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { readRun } from '../start/find-run.ts';
import { askRun, findAskedRun } from './ask-run.ts';
import type { Command } from './command.ts';

export type AnswerOptions = Readonly<{ plan?: string }>;

export const answerTask: Command<AnswerOptions> = async (context, [task, ...words], { plan }) => {
  if (task !== undefined && words.length === 0)
    throw new Failure('usage', `what is the answer to task ${task}?`, {
      hint: `pawl answer ${task} "…"; pawl answer alone shows the questions`,
    });
  const command = task === undefined ? undefined : ({ do: 'answer', task, answer: words.join(' ') } as const);
  const asked = findAskedRun(context, plan);
  if (command) return askRun(context, asked, command);
  printQuestions(context, readRun(asked.run));
  return 0;
};

function printQuestions(context: CliContext, { tasks }: RunState): void {
  const parked = [...tasks.values()].filter(({ standing }) => standing === 'parked');
  printLines(
    context,
    parked.map(({ id, title, question = '' }) => line('plain', `Task ${id} (${title}) asks: ${question}`)),
  );
  if (parked.length === 0) print(context, 'No task waits for an answer.');
}
