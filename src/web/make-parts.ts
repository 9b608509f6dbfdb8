// What the page shows of one run, as named parts: an unchanged one is not sent again.
import type { Fact, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import { formatEvent } from '../report/events/format-event.ts';
import { findingsBlocks } from '../report/findings/findings.ts';
import { blocksForYou, receiptBlocks } from '../report/receipt/receipt.ts';
import { proofTitle, type RunReport, reportRun } from '../report/view/report-run.ts';
import { viewTimeline } from '../report/view/timeline.ts';
import { viewWorks } from '../report/view/works.ts';
import type { LogLine, ReportView, RunPart, TaskView } from './view.ts';

const mostLatest = 300;

/** The state is undefined before its start. */
type RunFacts = Readonly<{ state: RunState | undefined; facts: readonly Stamped<Fact>[] }>;

/** `live`: a pawl works on the run. */
export function makeParts(
  { state, facts }: RunFacts,
  { live }: Readonly<{ live: boolean }>,
): ReadonlyMap<string, unknown> {
  if (!state) return new Map();
  const report = reportRun(state, { live });
  const { works, ...timeline } = viewTimeline(state, facts, { live });
  const run: RunPart = { tasks: report.view.tasks, ...timeline };
  return new Map<string, unknown>([
    ['run', run],
    ...[...viewWorks(state).values()].map((work) => {
      const task: TaskView = { ...work, bars: works.get(work.id) ?? [] };
      return [`task/${work.id}`, task] as const;
    }),
    ['report', reportOf(report)],
    ['log', logOf(facts.slice(-mostLatest))],
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
