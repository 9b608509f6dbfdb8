// Chooses where a run works: where it was started, in its earlier worktree, or in a new one. From then on it is an ordinary
// run in that tree.

import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { listRuns } from '../../journal/folder.ts';
import { findOpenRun, namesOfPlan, type UnfinishedRun } from '../../phase/open/find-unfinished.ts';
import { readConsent } from '../../trust/consents.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { choosePlan } from '../choose-plan.ts';
import { wasTrusted } from '../consent.ts';
import { type CliContext, printNote } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { refuseLane } from '../find-run.ts';
import { inspectPlan } from '../inspect-plan.ts';
import { findPlace, findPlaceAt, type Place } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import type { RunOptions } from '../run-options.ts';
import { beginTree, type Start } from './begin-tree.ts';
import { type MadeTree, makeTree } from './make.ts';
import type { OwnSlot } from './slot.ts';

/** Where and how a run is started. */
export type Entered = Readonly<{
  context: CliContext;
  given: string | undefined;
  options: RunOptions;
  /** Its own worktree; absent if it works where it was started. */
  worktree?: OwnWorktree;
  /** For a tree that was just made: held until the run holds the tree itself. */
  slot?: OwnSlot;
  /** Made for the tree. */
  newBranch?: MadeTree['newBranch'];
}>;

/**
 * Finds or makes the working tree of a run, a new one on the commit `base`, by default HEAD. Throws the first problem as a
 * Failure. Nothing has changed.
 */
export async function enterWorktree(
  context: CliContext,
  given: string | undefined,
  options: RunOptions,
  base?: string,
): Promise<Entered> {
  const place = findPlace(context.cwd);
  if (place) refuseLane(place);
  const stay = { context, given, options };
  if (!place || (!options.worktree && !hasTreeRuns(place, options))) return stay;
  const wanted = path.resolve(realpathSync(context.cwd), given ?? choosePlan(context, place));
  const file = existsSync(wanted) ? realOf(wanted) : wanted;
  const open = options.fresh ? undefined : findOpen(place, file);
  const start: Start = { context, options, place, file, ...defined({ base }) };
  if (open?.state.worktree && !isTakenOver(place, open))
    return returnToTree(start, open, open.state.worktree);
  if (!options.worktree) return stay;
  if (open) throw worksHere(open);
  const { name, branch, made } = await beginTree(start);
  return enterTree({ ...start, options: { ...options, branch } }, name, made);
}

/** Whether any run may be elsewhere, going by the first lines of journals. */
function hasTreeRuns({ commonDir }: Place, { fresh }: RunOptions): boolean {
  return !fresh && listRuns(commonDir).some(({ started }) => started.worktree);
}

function findOpen(place: Place, file: string): UnfinishedRun | undefined {
  const runs = listRuns(place.commonDir);
  return namesOfPlan(place.root, file).flatMap((name) => findOpenRun(runs, name) ?? [])[0];
}

/** The tree is gone, and a person has checked its branch out here: the run continues here. */
function isTakenOver({ gitDir }: Place, { started, state: { worktree } }: UnfinishedRun): boolean {
  return !existsSync(worktree?.path ?? '') && readHead({ gitDir }).branch === started.branch;
}

/** The tree of an unfinished run; if it is gone, it is made again on the run's branch. */
async function returnToTree(start: Start, open: UnfinishedRun, worktree: OwnWorktree): Promise<Entered> {
  const { context, place } = start;
  const { plan: name } = open.started;
  if (worktree.path === place.root) return enterTree(start, name, { worktree });
  if (findPlaceAt(worktree.path)?.commonDir === place.commonDir) return enterTree(start, name, { worktree });
  if (existsSync(worktree.path))
    throw new Failure('preflight', `${worktree.path}, where the run worked, is no longer a working tree`, {
      hint: 'Check what is there and move it away; the same command creates the tree again.',
    });
  const { trust = false, trustHash } = start.options;
  const trusted = trust || trustHash !== undefined || wasTrusted(context, place.root);
  const repo = await openPlainRepo(context, place, { trusted });
  const { config } = await inspectPlan(context, start.file, { ...start.options, dryRun: true });
  const plan = { name, file: start.file };
  const choice = { branch: open.started.branch, create: false };
  const made = await makeTree(context, {
    repo,
    config,
    plan,
    choice,
    base: open.started.base,
    takesPlan: false,
  });
  return enterTree(start, name, made);
}

/** From here on everything happens in the tree; `name`: the plan's, by which the run knows it. */
export function enterTree(
  start: Start,
  name: string,
  { worktree, slot, newBranch }: Readonly<{ worktree: OwnWorktree }> & Partial<MadeTree>,
): Entered {
  const { context, options, place, file } = start;
  const { worktree: _, ...rest } = options;
  const isInside =
    !path.isAbsolute(name) && (slot === undefined || existsSync(path.join(worktree.path, name)));
  const hash = trustHash(findTrustFiles(worktree.path));
  // The same bytes that the person consented to in the tree it was made from.
  const known = !options.trust && readConsentOf(context, worktree.from)?.hash === hash;
  if (worktree.path !== place.root) printNote(context, `The run works in ${worktree.path}.`);
  return {
    context: {
      ...context,
      cwd: worktree.path,
      env: { ...context.env, PAWL_PORT_OFFSET: String(worktree.portOffset) },
    },
    given: isInside ? path.join(worktree.path, name) : file,
    options: known ? { ...rest, trustHash: hash } : rest,
    worktree,
    ...defined({ slot, newBranch }),
  };
}

function readConsentOf({ folders }: CliContext, root: string) {
  return existsSync(root) ? readConsent(folders, root) : undefined;
}

function worksHere({ run, started }: UnfinishedRun): Failure {
  return new Failure('usage', `run ${run} of ${started.plan} is not finished, and works in this tree`, {
    hint: 'Resume it without --worktree, or start a separate run: --fresh --worktree.',
  });
}
