// `pawl review`: reviews what a branch has done since it left another, with or without a plan. It is a run of its own, with
// its own journal; what a review is stands in ../phase/review/review.ts.
import type { Command } from './command.ts';
import { driveRun } from './drive-run.ts';
import { refuseFlags } from './flags.ts';
import { prepareReview, type ReviewOptions } from './prepare-review.ts';

/** Reviews the checked-out branch. */
export const reviewBranch: Command<ReviewOptions> = async (context, _args, options) => {
  await refuseFlags(options);
  const prepared = await prepareReview(context, options);
  return (await driveRun(context, { ...prepared, release: () => {} }, { options })).exit;
};
