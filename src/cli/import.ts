// `pawl import`: turns another tool's file into a plan. Commands in its text become checks only if a person asks.
// Writes one new file, or prints it.
import path from 'node:path';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { convert } from '../plan/import/convert.ts';
import {
  type ImportedCheck,
  type ImportedPlan,
  proposeChecks,
  writeImported,
} from '../plan/import/imported.ts';
import { formatNote, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { readSource } from '../start/read-source.ts';
import { createFile } from '../write-file.ts';
import type { Command } from './command.ts';

export type ImportOptions = Readonly<{ output?: string; issue?: number; tag?: string; checks?: boolean }>;

export const importPlan: Command<ImportOptions> = async (context, [given], options) => {
  const { issue } = options;
  const hint = 'pawl import tasks.json -o plan.md, or: pawl import --issue 12 -o plan.md';
  if (given !== undefined && issue !== undefined)
    throw new Failure('usage', `${given} and --issue: a plan is made from one of them`, { hint });
  const source = issue ?? given;
  if (source === undefined) throw new Failure('usage', 'name one file to import, or an issue', { hint });
  const { text, from } = await readSource(context, source);
  const plan = convert(text, from, options.tag);
  const proposed = proposeChecks(plan);
  const checks = options.checks ? proposed : [];
  const markdown = writeImported(plan, checks);
  if (options.output === undefined) context.stdout.write(markdown);
  else writeNew(context, options.output, markdown);
  printImported(context, {
    plan,
    markdown,
    left: proposed.filter((check) => !checks.includes(check)),
    ...options,
  });
  return 0;
};

function writeNew(context: CliContext, output: string, text: string): void {
  const file = path.resolve(context.cwd, output);
  makeFolder(path.dirname(file));
  if (createFile(file, text, 0o644)) return;
  throw new Failure('usage', `${output} already exists and is not overwritten`, {
    hint: 'Name another file with -o.',
  });
}

function printImported(
  context: CliContext,
  made: ImportOptions & Readonly<{ plan: ImportedPlan; markdown: string; left: readonly ImportedCheck[] }>,
): void {
  const { plan, markdown, left, output } = made;
  const file = output ?? 'plan.md';
  for (const note of plan.notes) printNote(context, `- ${note}`);
  for (const { task, command } of left)
    printNote(
      context,
      `- task ${task} names \`${command}\`: it becomes a check only with --checks, or if you write it into the plan`,
    );
  const mistakes = lintPlan(parsePlan(markdown, file)).filter(({ severity }) => severity === 'error');
  for (const note of mistakes) printNote(context, formatNote(file, note));
  printNote(
    context,
    `${plan.tasks.length} task${plan.tasks.length === 1 ? '' : 's'}. The text is not yours: read it before you run it.`,
  );
  if (output !== undefined) print(context, output);
}
