// A pause: the run rests between two sessions, with no clock, until a person goes on; what changed meanwhile is theirs.

import type { Context } from '../../place/context.ts';
import { noteTreeOfPerson, takeEditsOfRest } from '../plan/external-edits.ts';
import { readText } from '../plan/plan-snapshot.ts';
import { takePlan } from '../plan/take-plan.ts';
import { type LeftTree, leaveTree } from '../rescue/leave-tree.ts';

/** How long one sleep of a rest is, milliseconds: it only keeps the process alive. */
const restMs = 60_000;

/** Rests while a person has paused the run; true when it did, so that plan and tree may be others now. */
export async function restWhilePaused(ctx: Context): Promise<boolean> {
  if (!ctx.state().pause || ctx.signal.aborted) return false;
  const left = await leaveTree(ctx);
  const text = readText(ctx.plan.file);
  if (!ctx.state().pause) return false;
  await restUntilContinued(ctx);
  if (!ctx.signal.aborted) await takeWhatChanged(ctx, { ...left, text });
  return true;
}

/** The same where neither plan nor tree is anybody's matter. */
export async function restUntilContinued(ctx: Context): Promise<void> {
  if (!ctx.state().pause || ctx.signal.aborted) return;
  ctx.emit({ type: 'paused' });
  while (ctx.state().pause && !ctx.signal.aborted) {
    await ctx.sleep(restMs, AbortSignal.any([ctx.signal, ctx.wake()]));
  }
}

async function takeWhatChanged(ctx: Context, left: LeftTree & Readonly<{ text: string }>): Promise<void> {
  const edits = await takeEditsOfRest(ctx, left);
  const told = ctx.state().interventions.length;
  const truth = await takePlan(ctx);
  // Boxes that a person flipped are told one by one.
  if (truth.text !== left.text && ctx.state().interventions.length === told)
    ctx.emit({ type: 'intervention', kind: 'hand-edit', text: 'the plan was edited while paused' });
  if (edits) await noteTreeOfPerson(ctx, truth, edits);
}
