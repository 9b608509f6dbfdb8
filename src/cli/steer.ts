// `pawl pause`, `continue`, `stop`, `steer`, `skip`, `retry` and `set`: sends a command to the run.
import type { Wish } from '../control/request.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { RunState } from '../journal/state.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findLiveRuns, findRunHolder, findRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import { type AskedRun, sendCommand } from '../start/send-command.ts';
import type { Command } from './command.ts';

export type SteerOptions = Readonly<{ run?: string; now?: boolean; task?: string }>;

/** What a run is asked, by the command's name; also of a fleet's job. */
export const wishes: Readonly<Record<string, (words: readonly string[], options: SteerOptions) => Wish>> = {
  pause: (_, { now = false }) => ({ do: 'pause', now }),
  continue: () => ({ do: 'continue' }),
  stop: () => ({ do: 'stop' }),
  steer: (words, { task, now = false }) => ({
    do: 'steer',
    text: words.join(' '),
    now,
    ...defined({ task }),
  }),
  skip: ([task]) => ({ do: 'skip', ...defined({ task }) }),
  retry: ([task]) => ({ do: 'retry', ...defined({ task }) }),
  budget: ([dollars = '']) => ({ do: 'set-budget', maxCostUsd: readDollars(dollars) }),
  answer: ([task, ...words]) => {
    if (task !== undefined && words.length > 0) return { do: 'answer', task, answer: words.join(' ') };
    throw new Failure('usage', 'an answer needs the task that asked, and words', {
      hint: 'pawl answer 3 "Use the existing table."; pawl answer alone shows the questions',
    });
  },
};

/** Those whose only word is a run. */
const ofWholeRun: ReadonlySet<string> = new Set(['pause', 'continue', 'stop']);

export function steering(name: string): Command<SteerOptions> {
  return async (context, words, options) => {
    const isOfRun = ofWholeRun.has(name);
    // `set budget 20`
    const own = name === 'budget' ? words.slice(1) : words;
    const asked = () => findAskedRun(context, isOfRun ? words[0] : options.run);
    if (name === 'answer' && words.length === 0) {
      printQuestions(context, readRun(asked().run));
      return 0;
    }
    const wish = wishes[name]?.(own, options);
    if (!wish) throw new Error(`there is no command ${name}`);
    const reply = await sendCommand(context, asked(), wish);
    if (!reply.ok) throw new Failure('usage', reply.error, defined({ hint: reply.hint }));
    print(context, reply.text);
    return 0;
  };
}

function readDollars(text: string): number {
  const dollars = /^\$?(\d+(?:\.\d+)?)$/.exec(text.trim())?.[1];
  if (dollars !== undefined) return Number(dollars);
  throw new Failure('usage', `“${text}” is not a number of US dollars`, { hint: 'pawl set budget 20' });
}

function printQuestions(context: CliContext, { tasks }: RunState): void {
  const parked = [...tasks.values()].flatMap(({ id, title, standing }) =>
    standing.is === 'parked' ? line('plain', `Task ${id} (${title}) asks: ${standing.question}`) : [],
  );
  printLines(context, parked);
  if (parked.length === 0) print(context, 'No task waits for an answer.');
}

/** Without a word, a live run (of this working tree before others), else the one last worked on. */
function findAskedRun(context: CliContext, word: string | undefined): AskedRun {
  const place = needPlace(context);
  const live = word === undefined ? findLiveRuns(place) : [];
  const own = live.find(({ gitDir }) => gitDir === place.gitDir) ?? (live.length === 1 ? live[0] : undefined);
  const several = live.map(({ holder }) => `${holder.run} (process ${holder.pid})`).join(', ');
  if (!own && live.length > 1)
    throw new Failure('usage', `pawl works on several runs here: ${several}`, {
      hint: 'Ask from the working tree of the one you mean, or name it.',
    });
  const run = own ? findRuns(context, place, own.holder.run)[0] : needRun(context, place, word);
  if (!run) throw new Failure('locked', 'a pawl is just starting here', { hint: 'Ask again in a moment.' });
  return { place, run, holder: findRunHolder(place, run.run) };
}
