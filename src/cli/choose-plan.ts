// Which plan a command means when none is named: that of the run worked on last if it is not finished, else the only plan there is.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listRuns } from '../journal/folder.ts';
import { isFinished } from '../journal/state.ts';
import { isAside } from '../phase/open/find-run.ts';
import type { CliContext } from './context.ts';
import { findLastWorked, readRun } from './find-run.ts';
import { listPlans } from './list-plans.ts';
import type { Place } from './place.ts';

/** Path of the plan; a Failure that lists the candidates when it is not clear. */
export function choosePlan(context: CliContext, place: Place | undefined): string {
  const root = place?.root ?? context.cwd;
  const runs = place ? listRuns(place.commonDir).filter(({ started }) => !isAside(started)) : [];
  const last = place && findLastWorked(place, runs);
  if (last && !isFinished(readRun(last))) return path.resolve(root, last.started.plan);
  const plans = listPlans(root);
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return only;
  throw new Failure(
    'usage',
    plans.length === 0 ? 'no plan was named' : 'several plans are there, and none was named',
    {
      hint:
        plans.length === 0
          ? 'pawl run path/to/plan.md; `pawl init` writes a first one'
          : plans.map((file) => `pawl run ${path.relative(context.cwd, file)}`).join('\n'),
    },
  );
}
