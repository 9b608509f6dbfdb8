// Formats work that was taken out of the tree, and is brought back.
import { formatList, shortOid } from '../text/figure.ts';
import { line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const setAsideFormats = {
  'work-set-aside': (fact) => {
    if (fact.task !== undefined)
      return [
        line('warn', `The unfinished work of task ${fact.task} was set aside (${shortOid(fact.rescue)})`),
        line('dim', 'the next attempt at that task starts from it', 1),
      ];
    return [
      line('warn', 'Its unfinished work here was taken out of the tree, and is kept', 1),
      line('dim', `\`pawl rescue restore ${shortOid(fact.rescue)}\` brings it back`, 1),
    ];
  },
  'work-brought-back': (fact) => [
    line('plain', `The work that was set aside (${shortOid(fact.rescue)}) is back in the tree`),
    ...(fact.left.length === 0
      ? []
      : [line('warn', `not restored, because they were changed meanwhile: ${formatList(fact.left)}`, 1)]),
  ],
} satisfies Formats;
