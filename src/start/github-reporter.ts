// What a run adds on GitHub Actions: protects against agents printing workflow commands, annotates the diff and writes the
// step summary. report/findings/github.ts formats them.
import { appendFileSync, statSync } from 'node:fs';
import { effect } from '../effect.ts';
import { needFailure } from '../failure.ts';
import type { RunState } from '../journal/state.ts';
import { allowCommands, annotationsOf, boundSummary, stopCommands } from '../report/findings/github.ts';
import { writeReceipt } from '../report/receipt/receipt.ts';
import type { Reporter } from '../report/reporter.ts';
import { type CliContext, printNote } from './context.ts';

/**
 * Its reporter; none elsewhere. `json`: stdout is for a program, whose lines are never commands; annotations then go to
 * stderr.
 */
export function createGithub(
  context: CliContext,
  { json }: Readonly<{ json: boolean }>,
): readonly Reporter[] {
  if (context.env['GITHUB_ACTIONS'] !== 'true') return [];
  const out = json ? context.stderr : context.stdout;
  const word = json ? undefined : context.random(16);
  let isStopped = word !== undefined;
  if (word !== undefined) out.write(`${stopCommands(word)}\n`);
  const allow = () => {
    if (isStopped && word !== undefined) out.write(`${allowCommands(word)}\n`);
    isStopped = false;
  };
  const finish = (state: RunState) => {
    allow();
    for (const line of annotationsOf(state)) out.write(`${line}\n`);
    writeSummary(context, writeReceipt(state));
  };
  return [{ name: 'GitHub', report: () => {}, finish, close: allow }];
}

/** If the file is missing or cannot be written, the receipt is still on the screen. */
function writeSummary(context: CliContext, receipt: string): void {
  const file = context.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    const used = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    effect('file', 'append to the summary of the step', () =>
      appendFileSync(file, boundSummary(`${receipt}\n`, used)),
    );
  } catch (error) {
    const failure = needFailure(error, file);
    printNote(context, `The summary of the step was not written: ${failure.message}`);
  }
}
