// The plan's bytes at a session's start are the truth: reads them, and puts them back after whoever changed them.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomic } from '../effect.ts';
import { Failure } from '../failure.ts';
import { putBackPlanFile, readPlanFile } from '../plan/file.ts';
import { formatNote, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import type { Plan } from '../plan/plan.ts';
import { onlyTicked } from '../plan/tick.ts';
import type { Context } from './phase.ts';

/** The plan as a session was given it. */
export type Truth = Readonly<{ text: string; plan: Plan }>;

/** Reads the plan as it is now; one with lint errors is a Failure that lists them. */
export function readTruth(ctx: Pick<Context, 'plan' | 'config'>): Truth {
  const { text } = readPlanFile(ctx.plan.file);
  const plan = parsePlan(text, path.basename(ctx.plan.file));
  const errors = lintPlan(plan, {
    strict: ctx.config.strict,
    hasConfigChecks: ctx.config.checks.length > 0,
  }).filter((note) => note.severity === 'error');
  if (errors.length > 0) {
    const lines = errors.map((note) => formatNote(ctx.plan.name, note)).join('\n');
    throw new Failure('plan', `the plan cannot be run:\n${lines}`, {
      hint: `\`pawl lint ${ctx.plan.name}\` shows them all.`,
    });
  }
  return { text, plan };
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
  const found = readPresent(ctx.plan.file);
  if (found === truth.text) return;
  const ticked = found === undefined ? undefined : onlyTicked(truth.text, found);
  if (found === undefined) {
    ctx.emit({
      type: 'act-found',
      ...whose,
      act: 'removed-plan',
      detail: ctx.plan.name,
      response: 'put-back',
    });
  } else if (ticked) {
    const detail = `${ticked.length} box${ticked.length === 1 ? '' : 'es'} of ${ctx.plan.name}`;
    ctx.emit({ type: 'act-found', ...whose, act: 'ticked-plan', detail, response: 'put-back' });
  } else {
    setAside(ctx, found, whose);
  }
  putBackPlanFile(ctx.plan.file, truth.text);
}

function setAside(ctx: Context, text: string, whose: { session?: number; task?: string }): void {
  const number = ctx.state().setAside.length + 1;
  const file = `plan-${String(number).padStart(3, '0')}.proposed.md`;
  writeFileAtomic(path.join(ctx.run.folder, file), text, 0o600);
  const detail = text.trim() === '' ? 'emptied' : 'edited';
  const session = whose.session === undefined ? {} : { session: whose.session };
  ctx.emit({ type: 'plan-edit-set-aside', number, file, detail, ...session });
  ctx.emit({
    type: 'act-found',
    ...whose,
    act: 'edited-plan',
    detail: ctx.plan.name,
    response: 'put-back',
    kept: file,
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
