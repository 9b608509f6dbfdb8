// `pawl review`: reviews what a branch has changed against another, with or without a plan. A run of its own, with its own
// journal; ../phase/review/review.ts is the review.

import { driveRun } from '../start/drive-run.ts';
import { refuseFlags } from '../start/flags.ts';
import { prepareReview, type ReviewFlags } from '../start/prepare-review.ts';
import type { Command } from './command.ts';

export const reviewBranch: Command<ReviewFlags> = async (context, _args, options) => {
  await refuseFlags(options);
  const asked = options.prove ? { ...options, reportOnly: true } : options;
  const prepared = await prepareReview(context, asked);
  return (await driveRun(context, prepared, { options })).exit;
};
