// What is left after a run.
import { defined } from '../../defined.ts';
import type { RunState } from '../../journal/state.ts';
import { blocksForYou } from '../../report/receipt/receipt.ts';
import { mergeCommand } from '../../report/text/merge-command.ts';
import type { RunReport } from '../../report/view/report-run.ts';
import type { EndView } from '../view.ts';

export function makeEnd(state: RunState, report: RunReport): EndView | undefined {
  const { ended, freshVerified } = state;
  if (!ended) return undefined;
  const tasks = [...state.tasks.values()];
  const green = tasks.flatMap(({ start, checks, standing }) => {
    const red = new Set(start?.red);
    const last = new Map(checks.map((check) => [check.check, check]));
    return standing === 'closed'
      ? [...last.values()].filter(({ result }) => result === 'green').map(({ check }) => red.has(check))
      : [];
  });
  const fresh = freshVerified?.result;
  return {
    turnedGreen: green.filter((wasRed) => wasRed).length,
    stayedGreen: green.filter((wasRed) => !wasRed).length,
    forYou: blocksForYou(report),
    ...(fresh === 'green' || fresh === 'red' ? { fresh } : {}),
    ...defined({
      changed: ended.difference,
      merge: ended.finished && ended.exit === 0 ? mergeCommand(state) : undefined,
    }),
  };
}
