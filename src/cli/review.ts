// `pawl review` and `pawl pr answer`: a review of a branch, or by what people say about its request.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { listRuns } from '../journal/folder.ts';
import { planOf } from '../journal/state.ts';
import { isAside } from '../phase/open/find-unfinished.ts';
import type { CliContext } from '../start/context.ts';
import { driveRun } from '../start/drive-run.ts';
import { needPlace, needRun, readRun } from '../start/find-run.ts';
import { refuseFlags } from '../start/load-settings.ts';
import { prepareReview, type ReviewFlags } from '../start/prepare-review.ts';
import type { RunFlags } from '../start/run-options.ts';
import type { Command } from './command.ts';

export const reviewBranch: Command<ReviewFlags> = async (context, _args, options) => {
  refuseFlags(options);
  const asked = options.prove ? { ...options, reportOnly: true } : options;
  return (await driveRun(context, await prepareReview(context, asked))).exit;
};

export const answerRequest: Command<RunFlags> = async (context, [run], options) => {
  refuseFlags(options);
  const found = findRunHere(context, run);
  const prepared = await prepareReview(context, { ...options, ...found, answers: true });
  return (await driveRun(context, prepared)).exit;
};

/** The run on the checked-out branch, and where its plan is now. */
function findRunHere(context: CliContext, word: string | undefined): Pick<ReviewFlags, 'of' | 'plan'> {
  const place = needPlace(context);
  const { branch } = readHead(place);
  const run =
    word === undefined
      ? listRuns(place.commonDir).find(({ started }) => started.branch === branch && !isAside(started))
      : needRun(context, place, word);
  if (!run) return {};
  const { started } = run;
  if (started.branch !== branch)
    throw new Failure(
      'usage',
      `run ${run.run} is on the branch ${started.branch}, which is not checked out`,
      { hint: `git switch ${started.branch}` },
    );
  const of = readRun(run);
  const plan = path.resolve(place.root, planOf(of));
  return { of, ...(existsSync(plan) ? { plan } : {}) };
}
