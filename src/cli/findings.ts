// `pawl findings`: what the review of a run found and where each finding stands, from its journal.
import { judgeFindings } from '../report/findings/findings.ts';
import { formatFindings, writeFindings } from '../report/findings/format-findings.ts';
import { toSarif } from '../report/findings/sarif.ts';
import { print, printLines } from '../start/context.ts';
import { needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Command } from './command.ts';

/**
 * `run`: the run with this id instead of the one last worked on. The output form: lines by default, else one of the others.
 */
export type FindingsOptions = Readonly<{ json?: boolean; sarif?: boolean; markdown?: boolean; run?: string }>;

export const showFindings: Command<FindingsOptions> = async (context, [plan], options) => {
  const { json, sarif, markdown, run } = options;
  const found = judgeFindings(readRun(needRun(context, needPlace(context), { plan, run })));
  if (json) print(context, JSON.stringify(found, null, 2));
  else if (sarif) print(context, JSON.stringify(toSarif(found, context.version), null, 2));
  else if (markdown) context.stdout.write(writeFindings(found));
  else printLines(context, formatFindings(found));
  return 0;
};
