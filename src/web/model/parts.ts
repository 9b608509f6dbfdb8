// Everything that the page shows of one run, as named parts: an unchanged part is not sent again.
import { spentBy } from '../../journal/ledger.ts';
import { tallyRun, tallyTogether } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { judgeFindings } from '../../report/findings/findings.ts';
import { receiptBlocks } from '../../report/receipt/receipt.ts';
import type { Bar, LogLine, RunView } from '../view.ts';
import { checkBars, restBars, sessionBars } from './bars.ts';
import type { RunFacts } from './run-facts.ts';
import { listTaskViews } from './task-view.ts';

/** The parts by name. `live`: a pawl is working on the run. */
export function makeParts(
  facts: RunFacts,
  { folder, live }: Readonly<{ folder: string; live: boolean }>,
): ReadonlyMap<string, unknown> {
  const { state } = facts;
  if (!state) return new Map();
  const endedAt = live ? undefined : (state.ended?.at ?? state.lastAt);
  const found = judgeFindings(state);
  const stats = tallyRun(facts.all, state);
  return new Map<string, unknown>([
    ['run', runOf(state, facts, { folder, endedAt })],
    ...listTaskViews(state, facts.tasks, endedAt).map((task) => [`task/${task.id}`, task] as const),
    ['review', { stages: found.stages, findings: found.findings }],
    ['receipt', { blocks: receiptBlocks(state, { spent: (filter) => spentBy(state, filter), stats, live }) }],
    ['stats', { runs: [stats], together: tallyTogether([stats]) }],
    ['log', { lines: logOf(facts) }],
  ]);
}

function runOf(
  state: RunState,
  facts: RunFacts,
  { folder, endedAt }: Readonly<{ folder: string; endedAt: string | undefined }>,
): RunView {
  const known = new Set([...state.tasks.keys(), ...state.fixes.keys()]);
  const alone = [...state.sessions.values()].filter(({ started }) => !known.has(started.task ?? ''));
  const bars: readonly Bar[] = [
    ...restBars(facts.whole),
    ...sessionBars(alone, endedAt),
    ...checkBars(facts.whole, endedAt),
  ].sort((a, b) => a.from.localeCompare(b.from));
  return {
    folder,
    resumes: state.resumes,
    from: state.started.at,
    to: state.lastAt,
    bars,
    interventions: state.interventions.map(({ at, text, by }) => ({ at, text, ...(by ? { by } : {}) })),
    notices: state.notices.map(({ text }) => text).slice(-50),
    notesWaiting: state.notes.filter(({ session }) => session === undefined).map(({ text }) => text),
  };
}

function logOf(facts: RunFacts): readonly LogLine[] {
  return facts.latest
    .flatMap((fact) =>
      formatEvent(fact, { verbose: false }).map(({ tone, text, indent }) => ({
        at: fact.at,
        tone,
        text,
        indent,
      })),
    )
    .filter(({ text }) => text !== '');
}
