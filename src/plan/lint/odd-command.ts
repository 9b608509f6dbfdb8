// Commands with white space that a shell takes for letters; in quotes it may be meant.
import { asSeen, firstOdd } from '../odd-space.ts';
import type { PlanNote, TextPosition } from '../plan.ts';
import { rulesOf } from './rule.ts';

const quoted = /'[^']*'|"[^"]*"/g;

export const oddCommand = rulesOf((plan, { checks: inSettings = [] }) => [
  ...[...plan.checks, ...plan.tasks.flatMap(({ checks }) => checks)].flatMap(({ command, place }) =>
    noteOn(command, { what: 'the command', place }),
  ),
  ...(plan.checks.length > 0 ? [] : inSettings).flatMap((command) =>
    noteOn(command, { what: 'in the setting `checks`, the command', place: start }),
  ),
]);

const start = { line: 1, column: 1, offset: 0 };

function noteOn(
  command: string,
  { what, place }: Readonly<{ what: string; place: TextPosition }>,
): PlanNote[] {
  const name = firstOdd(command);
  if (name === undefined) return [];
  const isMeant = firstOdd(command.replace(quoted, '')) === undefined;
  const message = `${what} \`${asSeen(command)}\` has ${name}, which looks like a blank or like nothing, and which a shell takes for a letter: type it anew`;
  return [{ rule: 'odd-space', severity: isMeant ? 'warning' : 'error', message, place }];
}
