// The receipt of a run that is carried to a remote.
import type { RunState } from '../../journal/state.ts';
import { type Block, block, code } from '../text/block.ts';
import { formatList, shortOid } from '../text/figure.ts';

/** None for a run that stayed on one machine and is fully carried. */
export function carryBlocks({ carry, workAside }: RunState): readonly Block[] {
  if (!carry) return [];
  const { failed, fenced, remote, takenFrom } = carry;
  const warn = (text: string) => block('item', 'warn', text);
  return [
    ...(takenFrom.length === 0
      ? []
      : [block('item', 'plain', `Taken up from ${formatList([...new Set(takenFrom)])}`)]),
    ...(fenced ? [warn(`Taken up by ${fenced.by.host}`)] : []),
    ...(fenced && workAside !== undefined
      ? [
          block(
            'item',
            'plain',
            'Its unfinished work here is kept: ',
            code(`pawl rescue restore ${shortOid(workAside)}`),
          ),
        ]
      : []),
    ...(fenced?.kept === undefined
      ? []
      : [warn(`Commits that ${fenced.by.host} does not have are kept: git log ${fenced.kept}`)]),
    ...(failed === undefined ? [] : [warn(`Not all of the run is on ${remote}: ${failed.reason}`)]),
  ];
}
