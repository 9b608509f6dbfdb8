// Formats work that was taken out of the tree, and is brought back.
import { formatList, shortOid } from '../text/figure.ts';
import { line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const setAsideFormats = {
  'work-set-aside': (fact) => [
    line('warn', 'Its unfinished work here was taken out of the tree, and is kept', 1),
    line('dim', `\`pawl rescue restore ${shortOid(fact.rescue)}\` brings it back`, 1),
  ],
  'work-brought-back': (fact) => [
    line('plain', `The work that was set aside (${shortOid(fact.rescue)}) is back in the tree`),
    ...(fact.left.length === 0
      ? []
      : [line('warn', `not restored, because they were changed meanwhile: ${formatList(fact.left)}`, 1)]),
  ],
} satisfies Formats;
