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

/** `state`: undefined before its start. `live`: a pawl works on the run. */
export function makeParts(
  { state, facts }: Readonly<{ state: RunState | undefined; facts: readonly Stamped<Fact>[] }>,
  { live }: Readonly<{ live: boolean }>,
): ReadonlyMap<string, unknown> {
  if (!state) return new Map();
  const report = reportRun(state, { live });
  const { works, ...timeline } = viewTimeline(state, facts, { live });
  const run: RunPart = { tasks: report.view.tasks, ...timeline };
  const tasks = [...viewWorks(state).values()].map(
    (work): TaskView => ({ ...work, bars: works.get(work.id) ?? [] }),
  );
  return new Map<string, unknown>([
    ['run', run],
    ...tasks.map((task) => [`task/${task.id}`, task] as const),
    ['report', reportOf(report)],
    ['log', facts.flatMap(logOf).slice(-mostLatest)],
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

function logOf(fact: Stamped<Fact>): readonly LogLine[] {
  const lines = formatEvent(fact, { verbose: false }).filter(({ text }) => text !== '');
  return lines.map(({ tone, text, indent }) => ({ at: fact.at, tone, text, indent }));
}
