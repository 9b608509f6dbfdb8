// Formats what happens to lanes and at the gate.
import type { FactOf } from '../../event.ts';
import { formatList, formatTasks } from '../text/figure.ts';
import { line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const laneFormats = {
  lane: { opened: () => [], 'catching-up': () => [], 'caught-up': () => [], closed: () => [] },
  landing: {
    'given-back': (fact) => [line('warn', `Task ${fact.task} does not land yet: ${formatGivenBack(fact)}`)],
    kept: (fact) => [
      line('warn', `You have changed ${formatList(fact.files)}: the branch has a newer version, yours stays`),
      line('dim', 'git diff shows the difference', 1),
    ],
  },
} satisfies Formats;

function formatGivenBack({ why, files, landed }: FactOf<'landing-given-back'>): string {
  const beside = landed.length === 0 ? 'what came into the branch' : formatTasks(landed);
  return why === 'conflict'
    ? `${formatList(files)} in conflict with ${beside}`
    : `red once merged with ${beside}`;
}
