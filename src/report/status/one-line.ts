// Where a run stands, for a shell's prompt. Loads no schema, so that it is quick.
import { formatUsd } from '../../dollars.ts';
import { shorten } from '../../shorten.ts';
import { formatWait } from '../text/run-words.ts';
import type { RunView } from '../view/run-view.ts';

const oldMs = 3_600_000;

/** `pawl login 3/8, task 4 (attempt 2), $1.20`; empty for one that nobody waits for. */
export function formatStatusLine(view: RunView, nowMs: number): string {
  const what = describeNow(view, nowMs);
  if (what === '') return '';
  const name = view.plan.replace(/^.*\//, '').replace(/\.(?:md|markdown)$/i, '');
  const cost = view.spent.costUsd ? `, ${formatUsd(view.spent.costUsd)}` : '';
  const done = view.what === 'planning' ? '' : ` ${view.tasks.closed}/${view.tasks.total}`;
  return `pawl ${shorten(name, 24)}${done}, ${what}${cost}`;
}

function describeNow(view: RunView, nowMs: number): string {
  const { state, exit = 0, endedAt = '', questions } = view;
  const [asking] = questions;
  switch (state) {
    case 'finished':
      if (nowMs - Date.parse(endedAt) > oldMs) return '';
      return exit === 0 ? 'done' : `finished (exit ${exit})`;
    case 'stopped':
      if (asking) return `task ${asking.task} asks you`;
      return `stopped${exit === 0 ? '' : ` (exit ${exit})`}`;
    case 'died':
      return 'died, can be resumed';
    case 'paused':
      return 'paused';
    case 'waiting':
      return asking ? `task ${asking.task} asks you` : formatWait(view, nowMs);
    case 'working':
      return describeWork(view);
  }
}

function describeWork({ what, inWork, review }: RunView): string {
  const task = inWork.at(-1);
  const ids = inWork.map(({ id }) => id);
  if (ids.length > 1) return `tasks ${ids.join(', ')}`;
  if (task) return `task ${task.id}${task.attempt > 1 ? ` (attempt ${task.attempt})` : ''}`;
  if (what === 'planning') return 'planning';
  const stage = review?.stages.at(-1);
  return stage ? `review ${stage.stage} (round ${stage.rounds})` : 'working';
}
