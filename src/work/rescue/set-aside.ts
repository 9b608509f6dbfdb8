// Work that a stopped run leaves so that the next plan of a queue finds a clean tree, and brings back when it goes on. It
// saves a rescue first, always.
import { readHead } from '../../git/snapshot.ts';
import type { Context } from '../../place/context.ts';
import { bringTreeTo } from './rescue-point.ts';

/** Takes what is not committed out of the tree, where there is any and the run's branch is checked out. */
export async function setWorkAside(ctx: Context): Promise<void> {
  const { started } = ctx.state();
  if (readHead(ctx.repo).branch !== started.branch) return;
  await bringTreeTo(ctx, 'HEAD', {
    reason: 'set aside for the next plan of the queue',
    // Told first: cut off in between, what is in the tree is brought back once more, which changes nothing.
    tell: (rescue) => ctx.emit({ type: 'work-set-aside', rescue }),
  });
}

/** Brings back what was set aside; a file that was changed meanwhile stays as it is, and is told. */
export async function bringWorkBack(ctx: Context): Promise<void> {
  const { workAside } = ctx.state();
  if (workAside === undefined) return;
  const left = await ctx.hands.replayPoint(ctx, workAside, { withPlan: true });
  ctx.emit({ type: 'work-brought-back', rescue: workAside, left: [...left] });
}
