// Commands with such a character: a shell takes it for a letter. In quotes it may be meant.
import { asSeen, firstOdd } from '../odd-space.ts';
import { rulesOf } from './rule.ts';

const quoted = /'[^']*'|"[^"]*"/g;

export const oddCommand = rulesOf((plan) =>
  [...plan.checks, ...plan.tasks.flatMap(({ checks }) => checks)].flatMap(({ command, place }) => {
    const name = firstOdd(command);
    if (name === undefined) return [];
    const isMeant = firstOdd(command.replace(quoted, '')) === undefined;
    const message = `the command \`${asSeen(command)}\` has ${name}, which looks like a blank or like nothing, and which a shell takes for a letter: type it anew`;
    return [{ rule: 'odd-space', severity: isMeant ? 'warning' : 'error', message, place }];
  }),
);
