// The plan's bytes at a session's start are the truth: reads them, and puts them back after whoever changed them.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { moveFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../place/context.ts';
import { withBeside } from '../../plan/beside.ts';
import { putBackPlanFile, readPlanFile } from '../../plan/file.ts';
import { formatNote, lintBy, lintPlan } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Plan } from '../../plan/plan.ts';
import { onlyTicked } from '../../plan/tick.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { count } from '../count.ts';

/** The plan as a session was given it. */
export type Truth = Readonly<{ text: string; plan: Plan }>;

/** Reads the plan as it is now; one with lint errors is a Failure that lists them. */
export function readTruth(ctx: Pick<Context, 'plan' | 'config'> & Partial<Pick<Context, 'options'>>): Truth {
  const { text } = readPlanFile(ctx.plan.file);
  const plan = parsePlan(text, ctx.plan.file);
  // It only says what a reviewed change is about.
  if (ctx.options?.review) return { text, plan };
  const errors = lintPlan(plan, lintBy(ctx.config)).filter((note) => note.severity === 'error');
  if (errors.length > 0) {
    const lines = errors.map((note) => formatNote(ctx.plan.name, note)).join('\n');
    throw new Failure('plan', `the plan cannot be run:\n${lines}`, {
      hint: `\`pawl lint ${ctx.plan.name}\` shows them all.`,
    });
  }
  return { text, plan: { ...plan, overview: withBeside(plan.overview, ctx.plan) } };
}

/** What the journal knows a plan's text by. */
export function hashPlan(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The plan's text as it is now. */
export function readText(file: string): string {
  return readPlanFile(file).text;
}

/** Puts the truth back if the plan's file differs; what was there is set aside in the run folder and reported. */
export function putPlanBack(ctx: Context, truth: Truth, whose: { session?: number; task?: string }): void {
  const isAside = setFolderAside(ctx, whose);
  const found = readPresent(ctx.plan.file);
  if (found === truth.text) return;
  const ticked = found === undefined ? undefined : onlyTicked(truth.text, found);
  if (found === undefined && !isAside) {
    ctx.emit({
      type: 'act-found',
      ...whose,
      act: 'removed-plan',
      detail: ctx.plan.name,
      response: 'put-back',
    });
  } else if (ticked) {
    const detail = `${count(ticked.length, 'box', 'boxes')} of ${ctx.plan.name}`;
    ctx.emit({ type: 'act-found', ...whose, act: 'ticked-plan', detail, response: 'put-back' });
  } else if (found !== undefined) {
    setAside(ctx, found, whose);
  }
  putBackPlanFile(ctx.plan.file, truth.text);
}

/** A folder in the plan's place is moved, as it is, to where other edits are set aside. */
function setFolderAside(ctx: Context, whose: { session?: number; task?: string }): boolean {
  if (!lstatSync(ctx.plan.file, { throwIfNoEntry: false })?.isDirectory()) return false;
  const { number, file } = nextAside(ctx);
  try {
    moveFile(ctx.plan.file, path.join(ctx.run.folder, file));
  } catch {
    // Another file system: the plan cannot be put back, which is told with what to do.
    return false;
  }
  tellAside(ctx, { number, file, detail: 'made a folder' }, whose);
  return true;
}

function setAside(ctx: Context, text: string, whose: { session?: number; task?: string }): void {
  const { number, file } = nextAside(ctx);
  writeFileAtomic(path.join(ctx.run.folder, file), text, 0o600);
  tellAside(ctx, { number, file, detail: text.trim() === '' ? 'emptied' : 'edited' }, whose);
}

function nextAside(ctx: Context): { number: number; file: string } {
  const number = ctx.state().setAside.length + 1;
  return { number, file: `plan-${String(number).padStart(3, '0')}.proposed.md` };
}

function tellAside(
  ctx: Context,
  aside: Readonly<{ number: number; file: string; detail: string }>,
  whose: { session?: number; task?: string },
): void {
  const session = whose.session === undefined ? {} : { session: whose.session };
  ctx.emit({ type: 'plan-edit-set-aside', ...aside, ...session });
  ctx.emit({
    type: 'act-found',
    ...whose,
    act: 'edited-plan',
    detail: ctx.plan.name,
    response: 'put-back',
    kept: aside.file,
  });
}

function readPresent(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readPlanFile(file).text;
  } catch {
    // No regular text file any more: nothing of it can be kept as a plan.
    return '';
  }
}
