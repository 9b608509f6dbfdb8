// Other commits that a person put in the place of the run's while it stood still, as by a squash or a rebase: taken where
// they hold all that the run has closed. Those of before are kept as a ref.
import { descends } from '../../git/ancestry.ts';
import { holdsKeys, judgeRewrite, keepRewritten } from '../../git/rewritten.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import type { Context } from '../phase.ts';

/** Takes them, and says so; what does not hold the run's work is left to the resume table. */
export async function takePersonsRewrite(ctx: Context): Promise<void> {
  const { leftHead } = ctx.options;
  if (leftHead === undefined) return;
  const head = await readHeadCommit(ctx.repo);
  if (head === leftHead || (await descends(ctx.repo, leftHead, head))) return;
  const rewrite = { base: ctx.state().started.base, from: leftHead, to: head };
  const judged = await judgeRewrite(ctx.repo, rewrite);
  if (judged === 'other-base') return;
  if (judged === 'other-files' && !(await holdsKeys(ctx.repo, rewrite))) return;
  const { kept, commits } = await keepRewritten(ctx.repo, { ...rewrite, run: ctx.run.id });
  if (commits.length === 0) return;
  ctx.emit({ type: 'history-finalized', from: leftHead, to: head, kept, commits: [...commits] });
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: 'the commits were put into others by hand' });
}
