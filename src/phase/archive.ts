// Moves the finished plan to `completed/` beside it, in a commit of its own that holds nothing else. It never overwrites
// a file and follows no link: where the move cannot be made, the plan stays.
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile } from '../disk.ts';
import { commitFileMove } from '../git/commit-file.ts';
import type { Context } from '../place/context.ts';
import { refuseElsewhere } from '../work/on-branch.ts';
import { readTruth } from '../work/plan/plan-snapshot.ts';

const archive = 'completed';

/** True for a plan of pawl's own kind, unless it was run from the archive: another tool's list, or a flat one, has its place and keeps it. */
export function isArchivable(ctx: Pick<Context, 'plan' | 'config'>): boolean {
  const isThere = path.basename(path.dirname(ctx.plan.file)) === archive;
  return ctx.config.archive && !isThere && readTruth(ctx).plan.format === 'tasks';
}

/** Archives the plan; finishes a move that a crash cut off. */
export async function archivePlan(ctx: Context): Promise<void> {
  const { archived, archiving } = ctx.state();
  if (archived) return;
  refuseElsewhere(ctx);
  const folder = path.join(path.dirname(ctx.plan.file), archive);
  if (!archiving && !isFolder(folder)) {
    const text = `The plan stays where it is: ${folder} is a link, or no folder`;
    ctx.emit({ type: 'noticed', code: 'not-archived', text });
    return;
  }
  ctx.emit({ type: 'phase-started', phase: 'archive' });
  const to = archiving?.to ?? announce(ctx, folder);
  if (existsSync(ctx.plan.file)) {
    makeFolder(path.dirname(to));
    moveFile(ctx.plan.file, to);
  }
  const oid = ctx.plan.tracked ? await commitMove(ctx, to) : undefined;
  ctx.emit({
    type: 'plan-archived',
    from: ctx.plan.name,
    to: nameOf(ctx, to),
    ...(oid === undefined ? {} : { oid }),
  });
  ctx.emit({ type: 'phase-ended', phase: 'archive', reason: `the plan is in ${nameOf(ctx, to)}` });
}

/** True when an announced move has taken the plan away: a crash or a rejected commit came after it. */
export function hasLeftItsPlace(ctx: Context): boolean {
  const { archiving, archived } = ctx.state();
  return archived !== undefined || (archiving !== undefined && !existsSync(ctx.plan.file));
}

/** True also of one that is still to be made. An agent may have put a link there, to have the plan moved elsewhere. */
function isFolder(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true;
}

function announce(ctx: Context, folder: string): string {
  const to = freeName(path.join(folder, path.basename(ctx.plan.file)));
  ctx.emit({ type: 'plan-archiving', from: ctx.plan.file, to });
  return to;
}

function commitMove(ctx: Context, to: string): Promise<string> {
  return commitFileMove(ctx.repo, {
    from: ctx.plan.name,
    to: nameOf(ctx, to),
    message: `plan: archive ${path.basename(ctx.plan.name)}\n\nPawl-Run: ${ctx.run.id}`,
    mark: `PAWL_CHECK=${ctx.run.folder}/commit`,
  });
}

/** `name.md`, or `name-2.md` and so on when that is taken. */
function freeName(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let number = 1; ; number += 1) {
    const candidate = path.join(dir, number === 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
    if (!lstatSync(candidate, { throwIfNoEntry: false })) return candidate;
  }
}

function nameOf(ctx: Context, file: string): string {
  return ctx.plan.tracked ? path.relative(ctx.repo.root, file) : file;
}
