// The receipt's part about finalizing: what became of the run's commits, and whether it finished.
import type { RunState } from '../../journal/state.ts';
import { formatRewrite } from '../events/format-finalize.ts';
import { type Block, block, code } from '../text/block.ts';
import { shortOid } from '../text/figure.ts';
import { keptBlocks } from './receipt-task.ts';

/** The section of the finalizing; nothing when there was none. */
export function finalizeBlocks(state: RunState): readonly Block[] {
  const { finalizing } = state;
  if (!finalizing) return [];
  return [block('section', 'head', 'Finalized'), ...endBlocks(finalizing), ...rewriteBlocks(state)];
}

function endBlocks({ ended }: NonNullable<RunState['finalizing']>): readonly Block[] {
  if (!ended) return [block('item', 'warn', 'Not finished')];
  const { result, reason, oid, rescue } = ended;
  switch (result) {
    case 'committed':
      return [block('item', 'good', `${reason}, commit `, code(shortOid(oid ?? '')))];
    case 'rewritten':
    case 'nothing':
      return [block('item', 'good', reason)];
    case 'failed':
      return [block('item', 'warn', `Failed: ${reason}; all is as it was before`), ...keptBlocks(rescue)];
  }
}

function rewriteBlocks(state: RunState): readonly Block[] {
  const { rewrites } = state;
  const [first] = rewrites;
  if (!first) return [];
  return [block('item', 'plain', `${formatRewrite(rewrites)}; those of before: `, code(first.kept))];
}
