// `pawl answer`: shows what parked tasks ask, or gives a person's answer to one; the next attempt gets it.
import { askRun, findAskedRun } from './ask-run.ts';
import type { Command } from './command.ts';
import { print } from './context.ts';
import { readRun } from './find-run.ts';

export type AnswerOptions = Readonly<{ plan?: string }>;

/** Shows the questions, or answers one. */
export const answerTask: Command<AnswerOptions> = async (context, [task, ...words], { plan }) => {
  const asked = findAskedRun(context, plan);
  if (task !== undefined) return askRun(context, asked, { do: 'answer', task, answer: words.join(' ') });
  const parked = [...readRun(asked.run).tasks.values()].filter(({ standing }) => standing === 'parked');
  for (const { id, title, question } of parked) print(context, `Task ${id} (${title}) asks: ${question}`);
  if (parked.length === 0) print(context, 'No task waits for an answer.');
  return 0;
};
