// Formats re-plans.
import type { FactOf } from '../../event.ts';
import { shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const replanFormats = {
  replan: {
    started: (fact) => [line('head', `Re-plan ${fact.replan}, ${formatCause(fact)}: ${fact.reason}`)],
    taking: (fact) => fact.diff.map((text) => line(toneOf(text), text, 1)),
    ended: (fact) => [formatEnd(fact), ...formatRescue(fact)],
  },
} satisfies Formats;

export function formatCause({ why, task }: Pick<FactOf<'replan-started'>, 'why' | 'task'>): string {
  switch (why) {
    case 'failure':
      return `because task ${task} failed`;
    case 'request':
      return `asked for by the agent of task ${task}`;
    case 'after-task':
      return `after task ${task}`;
  }
}

export function formatReplanEnd({ result, reason, oid }: FactOf<'replan-ended'>): string {
  switch (result) {
    case 'taken':
      return `the plan was changed: ${reason}${oid === undefined ? '' : ` (commit ${shortOid(oid)})`}`;
    case 'refused':
      return `refused, because it would weaken the plan: ${reason}`;
    case 'unchanged':
      return reason;
    case 'failed':
      return `no other plan: ${reason}`;
  }
}

function formatEnd(fact: FactOf<'replan-ended'>): Line {
  const tone = { taken: 'good', refused: 'warn', unchanged: 'plain', failed: 'warn' } as const;
  return line(tone[fact.result], `Re-plan ${fact.replan}: ${formatReplanEnd(fact)}`);
}

function formatRescue({ rescue }: FactOf<'replan-ended'>): readonly Line[] {
  return rescue === undefined
    ? []
    : [line('dim', `the earlier work is kept as ${shortOid(rescue)}: pawl rescue`, 1)];
}

function toneOf(text: string): Line['tone'] {
  if (text.startsWith('+')) return 'good';
  return text.startsWith('-') ? 'bad' : 'dim';
}
