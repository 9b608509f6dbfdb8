// Which plan a command means when none is named: that of the run worked on last if it is not finished, else the only plan there is.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { foldRun } from '../journal/fold.ts';
import { listRuns } from '../journal/folder.ts';
import { readJournal } from '../journal/journal.ts';
import type { CliContext } from './context.ts';
import { findLastWorked } from './find-run.ts';
import type { Place } from './place.ts';

const plansFolder = path.join('docs', 'plans');

/** Path of the plan; a Failure that lists the candidates when it is not clear. */
export function choosePlan(context: CliContext, place: Place | undefined): string {
  const root = place?.root ?? context.cwd;
  const runs = place ? listRuns(place.commonDir).filter(({ started }) => !started.planning) : [];
  const last = place && findLastWorked(place, runs);
  if (last && !foldRun(readJournal(last.folder))?.ended?.finished)
    return path.resolve(root, last.started.plan);
  const folder = path.join(root, plansFolder);
  const plans = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return path.join(folder, only);
  throw new Failure(
    'usage',
    plans.length === 0 ? 'no plan was named' : 'several plans are there, and none was named',
    {
      hint:
        plans.length === 0
          ? 'pawl run path/to/plan.md; `pawl init` writes a first one'
          : plans.map((name) => `pawl run ${path.join(plansFolder, name)}`).join('\n'),
    },
  );
}
