// Runs side by side: the comparisons that `pawl compare` has made in the known repositories, and any runs that a person
// picks.
import { setImmediate as breathe } from 'node:timers/promises';
import { defined } from '../defined.ts';
import type { Comparison, Contender } from '../journal/contender.ts';
import { tableOf } from '../report/compare/comparison.ts';
import { formatCost } from '../report/text/figure.ts';
import { listComparisons } from '../start/compare/record.ts';
import { measureComparison, measureRuns, readStandings } from '../start/compare/standings.ts';
import { idOfRun, type ListedRun } from './listed-runs.ts';
import type { ComparisonView, ContenderView } from './view.ts';

/** How many of a repository's newest comparisons are read, and how many runs can be picked. */
const most = 20;
const mostRuns = 8;

/** The results of these repositories' comparisons, newest first in each. */
export async function readComparisons(
  state: string,
  places: readonly Pick<ListedRun['place'], 'commonDir'>[],
): Promise<readonly ComparisonView[]> {
  const views: ComparisonView[] = [];
  for (const { commonDir } of places)
    for (const record of listComparisons(state, commonDir).slice(0, most)) {
      const standings = readStandings(commonDir, record);
      const seen = { troubles: new Map(), isReviewed: standings.some(({ review }) => review) };
      views.push(viewOf(measureComparison(record, standings, seen), commonDir));
      await breathe();
    }
  return views;
}

/** The runs that a person picked; undefined if fewer than two exist. */
export function compareRuns(runs: readonly ListedRun[]): ComparisonView | undefined {
  const [first] = runs;
  if (!first || runs.length < 2) return undefined;
  const picked = runs.slice(0, mostRuns);
  const live = new Set(picked.flatMap(({ found, holder }) => (holder ? found : [])));
  const measured = measureRuns(
    picked.map(({ found }) => found),
    (run) => live.has(run),
  );
  const view = viewOf(measured, first.place.commonDir);
  return {
    ...view,
    contenders: view.contenders.map((contender, at) => ({
      ...contender,
      ...defined({ id: picked[at]?.id }),
    })),
  };
}

function viewOf(comparison: Comparison, commonDir: string): ComparisonView {
  return {
    ...tableOf(comparison),
    ...defined({ comparison: comparison.comparison }),
    contenders: comparison.contenders.map((contender) => contenderOf(contender, commonDir)),
  };
}

function contenderOf(contender: Contender, commonDir: string): ContenderView {
  const { name, standing, exit, tasks, tally, atWorkMs, review, run } = contender;
  const found = review && 'found' in review ? review.found : undefined;
  return {
    name,
    standing,
    ...defined({
      cost: tally && tally.sessions > 0 ? formatCost(tally.spent) : undefined,
      id: run && idOfRun(commonDir, run),
      exit,
      tasks,
      costUsd: tally?.spent.costUsd,
      ms: atWorkMs,
      findings: found && Object.values(found).reduce((sum, count) => sum + count, 0),
    }),
  };
}
