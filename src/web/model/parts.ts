// What the page shows of one run, as named parts: an unchanged one is not sent again.
import type { Fact, Stamped } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { findingsBlocks } from '../../report/findings/findings.ts';
import { blocksForYou, receiptBlocks } from '../../report/receipt/receipt.ts';
import { proofTitle, type RunReport, reportRun } from '../../report/view/report-run.ts';
import { listWorks } from '../../report/view/works.ts';
import type { Bar, LogLine, ReportView, RunPart, TaskView } from '../view.ts';
import { checkBars, restBars, sessionBars, sortBars } from './bars.ts';

const mostLatest = 300;

/** The state is undefined before its start. */
export type RunFacts = Readonly<{ state: RunState | undefined; all: readonly Stamped<Fact>[] }>;

/** `live`: a pawl works on the run. */
export function makeParts(
  { state, all }: RunFacts,
  { live }: Readonly<{ live: boolean }>,
): ReadonlyMap<string, unknown> {
  if (!state) return new Map();
  const endedAt = live ? undefined : (state.ended?.at ?? state.lastAt);
  const report = reportRun(state, { live });
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
    tasks: report.view.tasks,
    from: state.started.at,
    to: state.lastAt,
    rests: restBars(factsOf.get('') ?? []),
    besides: listBesides(barsOf('')),
  };
  return new Map<string, unknown>([
    ['run', run],
    ...works.map((work) => {
      const task: TaskView = { ...work, bars: sortBars(barsOf(work.id)) };
      return [`task/${work.id}`, task] as const;
    }),
    ['report', reportOf(report)],
    ['log', logOf(all.slice(-mostLatest))],
  ]);
}

function reportOf(report: RunReport): ReportView {
  return {
    receipt: receiptBlocks(report),
    findings: findingsBlocks(report.findings),
    proof: report.sections.find(({ title }) => title === proofTitle)?.blocks ?? [],
    forYou: blocksForYou(report),
  };
}

/** Each reviewer has a row. */
function listBesides(bars: readonly Bar[]): RunPart['besides'] {
  const rows = Map.groupBy(bars, ({ who }) =>
    who === undefined ? 'Checks of the whole run' : (roles[who] ?? `Review: ${who}`),
  );
  return [...rows].map(([label, bars]) => ({ label, bars }));
}

/** Of sessions without a task; another name is a reviewer's. */
const roles: Readonly<Record<string, string>> = {
  plan: 'Planning',
  replan: 'Re-planning',
  finalize: 'Finalizing',
};

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
