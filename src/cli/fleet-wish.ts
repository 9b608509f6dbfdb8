// What `pawl fleet <word> <job> …` asks of a job's run: words to a wish.
import type { Wish } from '../control/request.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { readDollars } from './steer.ts';

const wishes: Readonly<Record<string, (words: readonly string[]) => Wish>> = {
  answer: ([task, ...words]) => {
    if (task !== undefined && words.length > 0) return { do: 'answer', task, answer: words.join(' ') };
    throw new Failure('usage', 'an answer needs the task that asked', {
      hint: 'pawl fleet answer <job> 3 "Use the existing table."',
    });
  },
  steer: (words) => ({ do: 'steer', text: words.join(' '), now: false }),
  pause: () => ({ do: 'pause', now: false }),
  continue: () => ({ do: 'continue' }),
  stop: () => ({ do: 'stop' }),
  skip: ([task]) => ({ do: 'skip', ...defined({ task }) }),
  retry: ([task]) => ({ do: 'retry', ...defined({ task }) }),
  budget: ([dollars = '']) => ({ do: 'set-budget', maxCostUsd: readDollars(dollars) }),
};

/** Undefined: the word is no wish. */
export function readWish(word: string, words: readonly string[]): Wish | undefined {
  return Object.hasOwn(wishes, word) ? wishes[word]?.(words) : undefined;
}
