// Formats a plan's estimate as a range, with its basis.
import { formatUsd } from '../../dollars.ts';
import type { Estimate, EstimateRange } from '../../journal/run-stats.ts';
import { formatCount } from '../text/figure.ts';

export function formatEstimate({ ms, costUsd, from }: Estimate): string {
  const cost = costUsd === undefined ? 'an unknown cost' : formatRange(costUsd, formatUsd);
  const basis = `${formatCount(from.tasks, 'task')} of ${formatCount(from.runs, 'run')}`;
  return `${formatRange(ms, formatAbout)} and ${cost} for its tasks, going by ${basis} here; a review comes on top`;
}

function formatRange({ low, high }: EstimateRange, word: (value: number) => string): string {
  const [from, to] = [word(low), word(high)];
  return from === to ? `about ${from}` : `${from} to ${to}`;
}

/** A guess in minutes, beyond an hour in steps of five. */
export function formatAbout(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const coarse = Math.round(minutes / 5) * 5;
  const rest = coarse % 60;
  return `${Math.floor(coarse / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}
