// `pawl review`: reviews what a branch has done since it left another, with or without a plan. It is a run of its own, with
// its own journal; what a review is stands in ../phase/review/review.ts.

import { driveRun } from '../start/drive-run.ts';
import { refuseFlags } from '../start/flags.ts';
import { prepareReview, type ReviewOptions } from '../start/prepare-review.ts';
import type { Command } from './command.ts';

/** Reviews the checked-out branch. */
export const reviewBranch: Command<ReviewOptions> = async (context, _args, options) => {
  await refuseFlags(options);
  const prepared = await prepareReview(context, options);
  return (await driveRun(context, { ...prepared, release: () => {} }, { options })).exit;
};
