// `pawl import`: turns another tool's file into a plan. Commands in its text become checks only if a person asks.
// Writes one new file, or prints it.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { writeNewPlan } from '../plan/file.ts';
import { convert } from '../plan/import/convert.ts';
import { proposeChecks, writeImported } from '../plan/import/imported.ts';
import { findErrors, formatNote } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { formatCount } from '../report/text/figure.ts';
import { print, printNoteLines } from '../start/context.ts';
import { readSource } from '../start/read-source.ts';
import type { Command } from './command.ts';

export type ImportOptions = Readonly<{ output?: string; issue?: number; tag?: string; checks?: boolean }>;

export const importPlan: Command<ImportOptions> = async (context, [given], options) => {
  const { issue, output, tag } = options;
  const hint = 'pawl import tasks.json -o plan.md, or: pawl import --issue 12 -o plan.md';
  if (given !== undefined && issue !== undefined)
    throw new Failure('usage', `${given} and --issue: a plan is made from one of them`, { hint });
  const source = issue ?? given;
  if (source === undefined) throw new Failure('usage', 'name one file to import, or an issue', { hint });
  const { text, from } = await readSource(context, source);
  const plan = convert(text, from, tag);
  const proposed = proposeChecks(plan);
  const markdown = writeImported(plan, options.checks ? proposed : []);
  if (output === undefined) context.stdout.write(markdown);
  else if (!writeNewPlan(path.resolve(context.cwd, output), markdown))
    throw new Failure('usage', `${output} already exists and is not overwritten`, {
      hint: 'Name another file with -o.',
    });
  const left = options.checks ? [] : proposed;
  const file = output ?? 'plan.md';
  printNoteLines(context, [
    ...plan.notes.map((note) => `- ${note}`),
    ...left.map(
      ({ task, command }) =>
        `- task ${task} names \`${command}\`: it becomes a check only with --checks, or if you write it into the plan`,
    ),
    ...findErrors(parsePlan(markdown, file), {}).map((note) => formatNote(file, note)),
    `${formatCount(plan.tasks.length, 'task')}. The text is not yours: read it before you run it.`,
  ]);
  if (output !== undefined) print(context, output);
  return 0;
};
