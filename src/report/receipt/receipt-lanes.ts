// The receipt's part about tasks worked on at once; else empty.

import { listConflicts } from '../../event/lane.ts';
import type { FactOf } from '../../event.ts';
import { readTimes } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import type { WorkTime } from '../../journal/timeline.ts';
import { type Block, block, codeList, type Piece } from '../text/block.ts';
import { formatCount, formatList, formatMs, formatTasks } from '../text/figure.ts';

const mostLanded = 40;

export function laneBlocks(state: RunState): readonly Block[] {
  const { landings } = state;
  if (landings.lanes.size === 0) return [];
  const landed = landings.order.filter(({ task }) => state.tasks.get(task)?.standing === 'closed');
  const order = landed.map(({ task, lane }) => `${task} (lane ${lane})`);
  return [
    block('item', 'plain', formatGain(state)),
    ...(order.length < 2
      ? []
      : [block('item', 'plain', `Landed in this order: tasks ${formatList(order, mostLanded)}`)]),
    ...givenBackBlocks(landings.givenBack),
    ...(landings.kept.length === 0
      ? []
      : [
          block(
            'item',
            'warn',
            'Your changes to ',
            ...codeList(landings.kept),
            ' stayed; the branch has more',
          ),
        ]),
  ];
}

/** `2h 10m of work in 41m, in 3 lanes; caught up 6 times, 1 conflict, 2m of waiting to land`. */
function formatGain(state: RunState): string {
  const { landings, lastAt } = state;
  const { lanes, caughtUp, givenBack, waitedMs } = landings;
  const conflicts = listConflicts(givenBack).length;
  const reds = givenBack.filter(({ why }) => why === 'red').length;
  const gate = [
    ...(caughtUp === 0 ? [] : [`caught up ${caughtUp === 1 ? 'once' : `${caughtUp} times`}`]),
    ...(conflicts === 0 ? [] : [formatCount(conflicts, 'conflict')]),
    ...(reds === 0 ? [] : [`${reds} red once merged`]),
    ...(waitedMs === 0 ? [] : [`${formatMs(waitedMs)} of waiting to land`]),
  ];
  const { whole, atWorkMs } = readTimes(state, lastAt);
  const work = `${formatMs(workOf(whole))} of work in ${formatMs(atWorkMs)}, in ${formatCount(lanes.size, 'lane')}`;
  return [work, ...(gate.length === 0 ? [] : [gate.join(', ')])].join('; ');
}

function workOf({ working, checking }: WorkTime): number {
  return working + checking;
}

function givenBackBlocks(facts: readonly FactOf<'landing-given-back'>[]): readonly Block[] {
  const keyOf = ({ task, why, files, landed }: (typeof facts)[number]) =>
    JSON.stringify([task, why, files, landed]);
  return [...Map.groupBy(facts, keyOf).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { task, why, files, landed } = first;
    const beside = landed.length === 0 ? 'what came into the branch' : formatTasks(landed);
    const what: readonly Piece[] =
      why === 'conflict' ? ['in conflict over ', ...codeList(files), ' with'] : ['red once merged with'];
    const times = alike.length === 1 ? '' : ` (${alike.length} times)`;
    return block('item', 'plain', `Task ${task} did not land at once: `, ...what, ` ${beside}${times}`);
  });
}
