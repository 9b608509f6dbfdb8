// What the page shows of one run, as named parts: an unchanged one is not sent again.
import type { Fact, Stamped } from '../../event.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { receiptBlocks } from '../../report/receipt/receipt.ts';
import { reportRun } from '../../report/view/report-run.ts';
import { listWorks } from '../../report/view/works.ts';
import type { RunFacts } from '../run-reader.ts';
import type { LogLine, ReviewView, RunPart, TaskView } from '../view.ts';
import { checkBars, restBars, sessionBars, sortBars } from './bars.ts';
import { makeEnd } from './end-view.ts';

const mostLatest = 300;

/** `live`: a pawl works on the run. */
export function makeParts(
  { state, all }: RunFacts,
  { live }: Readonly<{ live: boolean }>,
): ReadonlyMap<string, unknown> {
  if (!state) return new Map();
  const endedAt = live ? undefined : (state.ended?.at ?? state.lastAt);
  const report = reportRun(state, { live });
  const { stages, findings } = report.findings;
  const review: ReviewView = { stages, findings };
  const factsOf = Map.groupBy(all, (fact) => ('task' in fact ? (fact.task ?? '') : ''));
  const works = listWorks(state);
  const known = new Set(works.map(({ id }) => id));
  const sessionsOf = Map.groupBy(state.sessions.values(), ({ started: { task = '' } }) =>
    known.has(task) ? task : '',
  );
  const barsOf = (id: string) => [
    ...sessionBars(sessionsOf.get(id) ?? [], endedAt),
    ...checkBars(factsOf.get(id) ?? [], endedAt),
  ];
  const run: RunPart = {
    ...{ tasks: report.view.tasks, from: state.started.at, to: state.lastAt },
    bars: sortBars([...restBars(factsOf.get('') ?? []), ...barsOf('')]),
  };
  const end = live ? undefined : makeEnd(state, report);
  return new Map<string, unknown>([
    ['run', run],
    ...works.map((work) => {
      const task: TaskView = { ...work, bars: sortBars(barsOf(work.id)) };
      return [`task/${work.id}`, task] as const;
    }),
    ['review', review],
    ['receipt', receiptBlocks(report)],
    ...(end ? [['end', end] as const] : []),
    ['log', logOf(all.slice(-mostLatest))],
  ]);
}

function logOf(facts: readonly Stamped<Fact>[]): readonly LogLine[] {
  return facts
    .flatMap((fact) =>
      formatEvent(fact, { verbose: false }).map(({ tone, text, indent }) => ({
        ...{ at: fact.at, tone, text, indent },
      })),
    )
    .filter(({ text }) => text !== '');
}
