// Chooses where a run works: where it was started, or in its own ground, the earlier one or a new one.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import { moveEnv } from '../../ground/move-text.ts';
import { listRuns } from '../../journal/folder.ts';
import { findOpenRun, namesOfPlan, type UnfinishedRun } from '../../phase/open/find-unfinished.ts';
import { readConsent } from '../../trust/consents.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { wasTrusted } from '../consent.ts';
import { type CliContext, printNote } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { needPlace } from '../find-run.ts';
import { inspectPlan, type ReadPlan, readPlan, widthOf } from '../inspect-plan.ts';
import { findPlaceAt, isGround, type Place } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import type { RunFlags } from '../run-options.ts';
import { beginGround, type GroundStart } from './begin.ts';
import { type MadeGround, makeOwnGround } from './make-own.ts';
import { removeUnworked } from './remove.ts';

export type Entered = Readonly<{
  context: CliContext;
  given: string | ReadPlan;
  options: RunFlags;
  /** Absent if it works where it was started. */
  worktree?: OwnWorktree;
  /** Of a new ground: held until the run holds the tree. */
  reserved?: MadeGround['reserved'];
  newBranch?: MadeGround['newBranch'];
}>;

/** Throws the first problem as a Failure; nothing has changed then. */
export async function enterGround(context: CliContext, given: string, options: RunFlags): Promise<Entered> {
  const place = needPlace(context);
  const wanted = path.resolve(realpathSync(context.cwd), given);
  const file = existsSync(wanted) ? realOf(wanted) : wanted;
  const open = options.fresh ? undefined : findOpen(place, file);
  const start: GroundStart = { context, options: { ...options, worktree: true }, place, file };
  if (open?.state.worktree) return returnToGround(start, open, open.state.worktree);
  if (isGround(place)) throw isOthersGround(place);
  if (open && options.worktree) throw worksHere(open);
  // What began here goes on here, one task at a time.
  if (open) return { context, given, options };
  const read = options.worktree ? undefined : await readPlan(context, given, options);
  // No person's tree can hold several tasks at once.
  if (read && widthOf(read) < 2) return { context, given: read, options };
  const { name, branch, made } = await beginGround(start);
  return enterTree({ ...start, options: { ...start.options, branch } }, name, made);
}

function findOpen(place: Place, file: string): UnfinishedRun | undefined {
  const runs = listRuns(place.commonDir);
  return namesOfPlan(place.root, file).flatMap((name) => findOpenRun(runs, name) ?? [])[0];
}

/** A ground that is gone is made again on the run's branch. */
async function returnToGround(
  start: GroundStart,
  open: UnfinishedRun,
  worktree: OwnWorktree,
): Promise<Entered> {
  const { context, place } = start;
  const { plan: name } = open.started;
  if (worktree.path === place.root) return enterTree(start, name, { worktree });
  const { trust = false, trustHash } = start.options;
  const trusted = trust || trustHash !== undefined || wasTrusted(context, place.root);
  const repo = await openPlainRepo(context, place, { trusted });
  await removeUnworked(context, repo, { root: worktree.path, state: open.state });
  if (findPlaceAt(worktree.path)?.commonDir === place.commonDir) return enterTree(start, name, { worktree });
  if (existsSync(worktree.path))
    throw new Failure('preflight', `${worktree.path}, where the run worked, is no longer a ground of it`, {
      hint: 'Check what is there and move it away; the same command makes the ground again.',
    });
  const { config } = await inspectPlan(context, start.file, { ...start.options, dryRun: true });
  const plan = { name, file: start.file };
  const choice = { branch: open.started.branch, create: false };
  const { base } = open.started;
  return enterTree(
    start,
    name,
    await makeOwnGround(context, { repo, config, plan, choice, base, takesPlan: false }),
  );
}

export function enterTree(
  start: GroundStart,
  name: string,
  { worktree, reserved, newBranch }: Readonly<{ worktree: OwnWorktree }> & Partial<MadeGround>,
): Entered {
  const { context, options, place, file } = start;
  const { worktree: _, ...rest } = options;
  const isInside =
    !path.isAbsolute(name) && (reserved === undefined || existsSync(path.join(worktree.path, name)));
  const hash = trustHash(findTrustFiles(worktree.path));
  // The person consented to these bytes in the tree it was made from.
  const known = !options.trust && readConsentOf(context, worktree.from)?.hash === hash;
  if (worktree.path !== place.root) printNote(context, `The run works in ${worktree.path}.`);
  return {
    context: {
      ...context,
      cwd: worktree.path,
      env: {
        ...moveEnv(context.env, worktree.from, worktree.path),
        PAWL_PORT_OFFSET: String(worktree.portOffset),
      },
    },
    given: isInside ? path.join(worktree.path, name) : file,
    options: known ? { ...rest, trustHash: hash } : rest,
    worktree,
    ...defined({ reserved, newBranch }),
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

function isOthersGround({ root }: Place): Failure {
  return new Failure('usage', `${root} is the ground of another run`, {
    hint: 'Start runs of other plans in your own tree; `pawl status` there lists the grounds.',
  });
}
