// Everything that the page shows of one run, as named parts: an unchanged part is not sent again.
import type { Fact, Stamped } from '../../event.ts';
import { tallyRun, tallyTogether } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { judgeFindings } from '../../report/findings/findings.ts';
import { receiptBlocks } from '../../report/receipt/receipt.ts';
import { countTasks, listWorks } from '../../report/view/works.ts';
import type { RunFacts } from '../run-reader.ts';
import type { Bar, LogLine, RunPart } from '../view.ts';
import { checkBars, restBars, sessionBars } from './bars.ts';
import { makeEnd } from './end-view.ts';
import { viewTask } from './task-view.ts';

/** The parts by name. `live`: a pawl is working on the run. */
export function makeParts(
  { state, all }: RunFacts,
  { live }: Readonly<{ live: boolean }>,
): ReadonlyMap<string, unknown> {
  if (!state) return new Map();
  const endedAt = live ? undefined : (state.ended?.at ?? state.lastAt);
  const { stages, findings } = judgeFindings(state);
  const stats = tallyRun(state);
  const factsOf = Map.groupBy(all, (fact) => ('task' in fact ? (fact.task ?? '') : ''));
  const sessionsOf = Map.groupBy(state.sessions.values(), ({ started }) => started.task ?? '');
  const tasks = listWorks(state).map((work) =>
    viewTask(work, sessionsOf.get(work.id) ?? [], { facts: factsOf.get(work.id) ?? [], endedAt }),
  );
  const end = live ? undefined : makeEnd(state);
  return new Map<string, unknown>([
    ['run', runOf(state, factsOf.get('') ?? [], endedAt)],
    ...tasks.map((task) => [`task/${task.id}`, task] as const),
    ['review', { stages, findings }],
    ['receipt', { blocks: receiptBlocks(state, { live }) }],
    ...(end ? [['end', end] as const] : []),
    ['stats', { runs: [stats], together: tallyTogether([stats]) }],
    ['log', { lines: logOf(all.slice(-mostLatest)) }],
  ]);
}

/** How many of the newest journal lines are shown. */
const mostLatest = 300;

function runOf(state: RunState, facts: readonly Stamped<Fact>[], endedAt: string | undefined): RunPart {
  const known = new Set([...state.tasks.keys(), ...state.fixes.keys()]);
  const alone = [...state.sessions.values()].filter(({ started }) => !known.has(started.task ?? ''));
  const bars: readonly Bar[] = [
    ...restBars(facts),
    ...sessionBars(alone, endedAt),
    ...checkBars(facts, endedAt),
  ].sort((a, b) => a.from.localeCompare(b.from));
  return {
    tasks: countTasks(state),
    from: state.started.at,
    to: state.lastAt,
    bars,
    interventions: state.interventions.map(({ at, text, by }) => ({ at, text, ...(by ? { by } : {}) })),
    notesWaiting: state.notes.filter(({ session }) => session === undefined).map(({ text }) => text),
  };
}

function logOf(facts: readonly Stamped<Fact>[]): readonly LogLine[] {
  return facts
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
