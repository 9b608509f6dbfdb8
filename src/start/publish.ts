// Publishes the result of a run at its end: findings.json in its folder, and a pull request. What cannot work throws a
// Failure before the run.
import path from 'node:path';
import { Failure, needFailure } from '../failure.ts';
import { inRun } from '../journal/folder.ts';
import { chooseBranchFor, findOpenFor } from '../phase/open/may-open.ts';
import type { Place } from '../place/place.ts';
import { judgeFindings } from '../report/findings/findings.ts';
import { writeReceipt } from '../report/receipt/receipt.ts';
import { writeFileAtomic } from '../write-file.ts';
import { type CliContext, printNote } from './context.ts';
import { openPull, type PullBranch, type PullOptions, preparePull } from './pull-request.ts';
import type { RunPlan } from './run-plan.ts';

/** Publishes the result of the run `place`; returns an exit code to combine with the run's own. */
export type Publish = (place: Place) => Promise<number>;

export async function preparePublish(
  context: CliContext,
  request: RunPlan['request'],
  options: PullOptions,
): Promise<Publish> {
  const pull = await preparePull(context, () => branchOf(request), options);
  return async (place: Place): Promise<number> => {
    const state = place.run.state();
    exportFindings(context, place);
    if (!pull) return 0;
    return openPull(context, pull, { state, text: writeReceipt(state) });
  };
}

function branchOf(request: RunPlan['request']): PullBranch {
  const { home: repo = request.base.repo } = request;
  const open = findOpenFor(request);
  const choice = open ? open.started : chooseBranchFor(request);
  if (choice instanceof Failure) throw choice;
  return { repo, branch: choice.branch, defaultBranch: request.workplace.defaultBranch };
}

/** As of the end of this start of pawl; in between, `pawl findings --json` reads them from the journal. */
function exportFindings(context: CliContext, place: Place): void {
  const found = judgeFindings(place.run.state());
  if (found.stages.length === 0) return;
  try {
    writeFileAtomic(
      path.join(place.run.folder, inRun.findings),
      `${JSON.stringify(found, null, 2)}\n`,
      0o600,
    );
  } catch (error) {
    const failure = needFailure(error);
    printNote(context, `The findings were not written: ${failure.message}`);
  }
}
