// `pawl report`, `pawl diff` and `pawl stats`: what a run came to: coloured on a terminal, Markdown or JSON in a pipe.
import { defined } from '../defined.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { findWorkState } from '../journal/state.ts';
import { findingsBlocks } from '../report/findings/findings.ts';
import { type Findings, judgeFindings } from '../report/findings/judge-findings.ts';
import { toSarif } from '../report/findings/sarif.ts';
import { receiptLines, writeLessons, writeReceipt } from '../report/receipt/receipt.ts';
import { formatRunsTable, formatStats } from '../report/stats/format-stats.ts';
import { toLines, toMarkdown } from '../report/text/block.ts';
import { viewRun } from '../report/view/view-run.ts';
import { viewWorks } from '../report/view/works.ts';
import type { SeeOptions } from '../start/command-options.ts';
import { type CliContext, printJson, printLines } from '../start/context.ts';
import { findRunHolder, needPlace, needRun, readRun } from '../start/find-run.ts';
import { readDiff } from '../start/read-diff.ts';
import type { Command } from './command.ts';

/** A run as it is now: what goes on in a live one lasts until then. */
function lookAt(context: CliContext, word: string | undefined) {
  const place = needPlace(context);
  const run = needRun(context, place, word);
  const holder = findRunHolder(place, run.run);
  const until = holder && context.now().toISOString();
  return { run, state: readRun(run), holder, until, checkedOut: readHead(place).branch };
}

/** `json`: a `RunView` with `items`, one per work; with `findings`, what the review found. */
export const showReport: Command<SeeOptions['report']> = async (context, [word], options) => {
  const { run, state, ...look } = lookAt(context, word);
  const { until } = look;
  if (options.findings || options.sarif) return showFindings(context, judgeFindings(state), options);
  if (options.lessons) {
    context.stdout.write(writeLessons(state));
    return 0;
  }
  if (options.json) {
    const items = [...viewWorks(state, until).values()].map((work) => {
      const { checks = [], violations = [], refused = [], tamper = [] } = findWorkState(state, work.id) ?? {};
      return { ...work, checks, violations, refused, tamper };
    });
    const { interventions } = state;
    return printJson(context, { ...viewRun(state, look), folder: run.folder, items, interventions });
  }
  const how = { live: look.holder !== undefined, ...defined({ until }) };
  if (context.isTty) printLines(context, receiptLines(state, how));
  else context.stdout.write(writeReceipt(state, how));
  return 0;
};

function showFindings(context: CliContext, found: Findings, { json, sarif }: SeeOptions['report']): number {
  if (sarif) printJson(context, toSarif(found, context.version));
  else if (json) printJson(context, found);
  else if (context.isTty) printLines(context, toLines(findingsBlocks(found)));
  else context.stdout.write(toMarkdown(findingsBlocks(found)));
  return 0;
}

/** Exits with 0 even if the diff is empty. */
export const showDiff: Command<Readonly<{ run?: string; stat?: boolean }>> = async (
  context,
  [task],
  { run: word, stat },
) => {
  const place = needPlace(context);
  const run = needRun(context, place, word);
  const look = [...(stat ? ['--stat'] : []), ...(context.colour ? ['--color=always'] : [])];
  context.stdout.write(await readDiff(context, { place, run, task, look }));
  return 0;
};

/** `json`: a `CountedRun`, or a list of them. */
export const showStats: Command<Readonly<{ json?: boolean }>> = async (context, words, { json }) => {
  const wanted = words.length === 0 ? [undefined] : words;
  const counted = wanted.map((word) => {
    const { state, holder, until } = lookAt(context, word);
    return { state, view: viewRun(state, { holder, until }) };
  });
  const [only] = counted.length === 1 ? counted : [];
  const runs = counted.map(({ state, view }) => ({ ...view, interventions: state.interventions }));
  if (json) printJson(context, only ? runs[0] : runs);
  else printLines(context, only ? formatStats(only.state, only.view) : formatRunsTable(runs));
  return 0;
};
