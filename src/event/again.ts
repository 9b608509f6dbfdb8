// The command by which a person goes on with a run, as every hint names it. It runs none.
import type { PlanningAsked } from './dialogue.ts';
import type { OwnWorktree, ReviewAsked } from './run.ts';

/** What it depends on: where the run works, what it was asked, and the queue it was last started in. */
type Where = Readonly<{
  started: Readonly<{
    run: string;
    plan: string;
    branch: string;
    review?: ReviewAsked | undefined;
    planning?: PlanningAsked | undefined;
    worktree?: OwnWorktree | undefined;
  }>;
  queue?: Readonly<{ base: string }>;
}>;

/** The command, `options` each followed by a blank. A queue ends on the branch it began on: the run's own comes first then, unless it is in a working tree of its own, which is found again. */
export function commandAgain({ started, queue }: Where, options = ''): string {
  if (started.planning) return `pawl plan ${options}--resume ${started.run}`;
  if (started.review) return `pawl review ${options}${wordReview(started.review)}`;
  const run = `pawl run ${options}${started.plan}`;
  const isHere = queue === undefined || queue.base === started.branch || started.worktree !== undefined;
  return isHere ? run : `git switch ${started.branch} && ${run}`;
}

function wordReview({ base, stages = [], plan, reportOnly }: ReviewAsked): string {
  return [
    `--base ${base.slice(0, 12)}`,
    ...stages.map((stage) => `--stage ${stage}`),
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    ...(reportOnly ? ['--report-only'] : []),
  ].join(' ');
}
