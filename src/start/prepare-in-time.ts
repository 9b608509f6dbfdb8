// Prepares a run that may start later: everything is judged while the person is there and, after the wait, judged again.

import path from 'node:path';
import { namePlan } from '../phase/open/find-unfinished.ts';
import { refuseOpening } from '../phase/open/may-open.ts';
import { awaitStart, readStartWish, type Start } from './await-start.ts';
import { type CliContext, printNote } from './context.ts';
import { type Prepared, prepareRun } from './prepare-run.ts';
import { refuseUnpublishable } from './publish.ts';
import type { RunOptions } from './run-options.ts';

/**
 * Prepares a run when its time has come: at once, unless the options delay it. `released`: frees the working tree, which a
 * wait holds.
 */
export async function prepareInTime(
  context: CliContext,
  given: string | undefined,
  options: RunOptions,
): Promise<Prepared & Readonly<{ release(): void }>> {
  const wish = readStartWish(context, options);
  const first = await prepareRun(context, given, options);
  if (!wish) return { ...first, release: () => {} };
  const { base, planFile } = first.request;
  await judgeNow(context, first, options);
  for (const notice of first.notices) printNote(context, notice);
  const lock = await awaitStart(context, wish, startOf(first, options, [namePlan(base.repo.root, planFile)]));
  try {
    const again = await prepareRun({ ...context, canAsk: false }, planFile, unattended(options, first));
    return {
      ...again,
      notices: again.notices.filter((text) => !first.notices.includes(text)),
      release: () => lock?.[Symbol.dispose](),
    };
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

/**
 * For a delayed start of several plans in turn: judges the first one as far as possible before its branch is checked out,
 * and waits.
 */
export async function awaitQueue(
  context: CliContext,
  options: RunOptions,
  { root, plans }: Readonly<{ root: string; plans: readonly string[] }>,
): Promise<void> {
  const wish = readStartWish(context, options);
  const [plan] = plans;
  if (!wish || plan === undefined) return;
  const first = await prepareRun(context, path.resolve(root, plan), options);
  const lock = await awaitStart(context, wish, startOf(first, options, plans));
  lock?.[Symbol.dispose]();
}

/** Throws what would keep it from being opened or published. */
async function judgeNow(context: CliContext, { request }: Prepared, options: RunOptions): Promise<void> {
  await refuseOpening(request);
  await refuseUnpublishable(context, request, options);
}

function startOf({ request }: Prepared, options: RunOptions, plans: readonly string[]): Start {
  const { repo, config, env } = request.base;
  const { billing } = request.about;
  return { plans, gitDir: repo.gitDir, commonDir: repo.commonDir, config, billing, env, options };
}

/** Nobody is there to ask, and what was trusted are the bytes from before the wait. */
function unattended({ trust: _, ...options }: RunOptions, { trustHash }: Prepared): RunOptions {
  return trustHash === undefined ? options : { ...options, trustHash };
}
