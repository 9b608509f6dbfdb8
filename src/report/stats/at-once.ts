// Formats how a run went in which several tasks were worked on at once.
import type { AtOnce } from '../../journal/run-stats.ts';
import { formatCount, formatList, formatMs, formatShare } from '../text/figure.ts';
import { type Line, labelled } from '../text/line.ts';

/** How much work was done at once, what stood in the way, and in which files. */
export function formatAtOnce(atOnce: AtOnce): readonly Line[] {
  const { lanes, workMs, busyMs, waitedMs, landed, caughtUp, conflicts, redTogether, flaky, byFile } = atOnce;
  const share = formatShare(waitedMs / Math.max(1, workMs + waitedMs));
  const files = Object.entries(byFile).toSorted(([, one], [, other]) => other - one);
  return [
    labelled(
      'plain',
      'at once',
      `${formatMs(workMs)} of work in ${formatMs(busyMs)}, in ${formatCount(lanes, 'lane')}; ${formatMs(waitedMs)} of waiting to land (${share})`,
    ),
    labelled(
      'plain',
      '',
      `${landed} landed: caught up ${caughtUp === 1 ? 'once' : `${caughtUp} times`}, ${formatCount(conflicts, 'conflict')}, ${redTogether} red once merged, ${formatCount(flaky, 'flaky check')}`,
    ),
    ...(files.length === 0
      ? []
      : [
          labelled(
            'plain',
            '',
            `conflicts in ${formatList(files.map(([file, count]) => `${file} (${count})`))}`,
          ),
        ]),
  ];
}
