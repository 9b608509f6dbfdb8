// `pawl lint`: reports mistakes in plans; on request also checks that pass before the work.

import path from 'node:path';
import { fixed } from '../config/fixed.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { readBlock } from '../plan/check-block.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import { formatNote, lintBy, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { isClosed, type Plan, type PlanNote } from '../plan/plan.ts';
import { formatCount } from '../report/text/figure.ts';
import { cleanText, emptyLine, type Line, line, span, spanned } from '../report/text/line.ts';
import { cutToWidth } from '../report/text/width.ts';
import {
  findNotThere,
  findUnready,
  findWithoutTarget,
  placeOf,
  programsToAsk,
} from '../start/check-programs.ts';
import { type CliContext, print, printLines, printNote } from '../start/context.ts';
import { loadSettings, rootOf } from '../start/load-settings.ts';
import { listPlans, readSubmodules } from '../start/locate.ts';
import { judgeWidth } from '../work/must-be-alone.ts';
import type { Command } from './command.ts';
import type { TriedNow } from './lint-checks.ts';

export type LintCommandOptions = Readonly<{
  strict?: boolean;
  runChecks?: boolean;
  json?: boolean;
  jobs?: number;
}>;

/** `file`: as it was named. */
type ReadPlan = Readonly<{ file: string; text: string; plan: Plan }>;

type Linted = ReadPlan & Readonly<{ notes: readonly PlanNote[]; tried: number }>;

/** Exits with 2 for an error. */
export const lintPlans: Command<LintCommandOptions> = async (context, args, options) => {
  const root = rootOf(context);
  const files = args.length > 0 ? args : findPlans(context);
  const before = loadSettings(context);
  const plans = files.map((file) => readPlan(context, file));
  const { config, notices } = options.runChecks
    ? await mayRunChecks(context, plans, { root, before })
    : before;
  for (const notice of notices) printNote(context, notice);
  const linted: Linted[] = [];
  for (const plan of plans) {
    linted.push(await lintOne(context, plan, { config, root, options }));
  }
  if (options.json) print(context, JSON.stringify(linted.flatMap(asJson), undefined, 2));
  else showNotes(context, linted);
  return linted.some(({ notes }) => notes.some(isError)) ? 2 : 0;
};

function readPlan({ cwd }: CliContext, given: string): ReadPlan {
  const { file } = locatePlan(given, cwd);
  const { text } = readPlanFile(file);
  return { file: given, text, plan: parsePlan(text, file) };
}

type With = Readonly<{ config: Config; root: string; options: LintCommandOptions }>;

async function lintOne(
  context: CliContext,
  { file, text, plan }: ReadPlan,
  { config, root, options }: With,
): Promise<Linted> {
  const { tried, green } = options.runChecks
    ? await findGreen(context, plan, { config, root })
    : { tried: 0, green: new Set<string>() };
  const programs = programsToAsk(config, plan);
  const notThere = await findNotThere(context, config, { root, programs });
  const notes = lintPlan(plan, {
    ...lintBy({ ...config, strict: options.strict ?? config.strict }),
    green,
    missing: [...findUnready(config, plan, notThere), ...findWithoutTarget(config, plan, root)],
    where: placeOf(config),
    submodules: readSubmodules(root),
    width: judgeWidth(root, plan, { ...config, jobs: options.jobs ?? config.jobs }),
  });
  return { file, text, plan, notes, tried };
}

// Only --run-checks needs the rooms that run programs.
async function findGreen(
  context: CliContext,
  plan: Plan,
  { config, root }: Readonly<{ config: Config; root: string }>,
): Promise<TriedNow> {
  const { findGreenChecks } = await import('./lint-checks.ts');
  return findGreenChecks(context, plan, {
    root,
    timeoutMs: Math.min(config.clocks.check, fixed.trialMs),
  });
}

/** The settings as they are once trusted: the repository's may ask for a sandbox. */
async function mayRunChecks(
  context: CliContext,
  read: readonly ReadPlan[],
  { root, before }: Readonly<{ root: string; before: LoadedConfig }>,
): Promise<LoadedConfig> {
  assertNoSandbox(before.config);
  const { trustChecks } = await import('./lint-checks.ts');
  await trustChecks(
    context,
    root,
    read.map(({ plan }) => plan),
  );
  const trusted = loadSettings(context);
  assertNoSandbox(trusted.config);
  return trusted;
}

function assertNoSandbox({ sandbox: { kind } }: Config): void {
  if (kind === 'none') return;
  throw new Failure('config', `--run-checks runs checks on this machine, but sandbox.kind is ${kind}`, {
    hint: 'The baseline of a run tests them inside. If the checks may run on this machine, set PAWL_SANDBOX_KIND=none.',
  });
}

function findPlans(context: CliContext): readonly string[] {
  const plans = listPlans(rootOf(context));
  if (plans.length === 0) {
    throw new Failure('usage', 'which plan? There is none in docs/plans/', {
      hint: 'Name one: pawl lint path/to/plan.md, or make a first one: pawl init',
    });
  }
  return plans.map((file) => path.relative(context.cwd, file));
}

function showNotes(context: CliContext, linted: readonly Linted[]): void {
  for (const { file, text, plan, notes } of linted) {
    const hints = [...blocksOf(plan, file), ...noteOwnless(file, plan, notes)];
    const source = text.split('\n');
    printLines(context, [
      ...notes.flatMap((note) =>
        context.isTty ? frameNote(file, note, source) : [line('plain', formatNote(file, note))],
      ),
      ...hints.map((hint) => line('plain', hint)),
    ]);
  }
  const all = linted.flatMap(({ notes }) => notes);
  const errors = all.filter(isError).length;
  const plans = linted.length === 1 ? cleanText(linted[0]?.file ?? '') : `${linted.length} plans`;
  const tried = linted.reduce((sum, one) => sum + one.tried, 0);
  const red =
    tried === 0
      ? ''
      : `; ${formatCount(tried, 'check')} of open tasks run, ${redOf(linted)} red now, as they should be`;
  const found = `${formatCount(errors, 'error')}, ${formatCount(all.length - errors, 'warning')}`;
  printNote(context, `${plans}: ${all.length === 0 ? 'fine' : found}${red}`);
}

function redOf(linted: readonly Linted[]): number {
  const isGreen = ({ rule }: PlanNote) => rule === 'vacuous-check';
  return linted.reduce((sum, { tried, notes }) => sum + tried - notes.filter(isGreen).length, 0);
}

/** `source`: the plan's lines. */
function frameNote(
  file: string,
  { rule, severity, message, place }: PlanNote,
  source: readonly string[],
): readonly Line[] {
  const tone = severity === 'error' ? 'bad' : 'warn';
  const number = String(place.line);
  const shown = (source[place.line - 1] ?? '').replaceAll('\t', ' ');
  const pointer = `${' '.repeat(number.length)} │ ${' '.repeat(Math.max(0, place.column - 1))}^`;
  return [
    spanned(tone, [`${file}:${number}:${place.column} `, span(tone, severity), span('dim', ` ${rule}`)]),
    ...(shown.trim() === ''
      ? []
      : [line('plain', cutToWidth(`${number} │ ${shown}`, frameWidth), 1), line(tone, pointer, 1)]),
    line('plain', message, 1),
    emptyLine,
  ];
}

const frameWidth = 76;

function blocksOf(plan: Plan, file: string): readonly string[] {
  const checks = [...plan.checks, ...plan.tasks.flatMap((task) => task.checks)];
  return checks
    .filter(({ command }) => command.includes('\n'))
    .map(({ command, place }) => {
      const read = readBlock(command).isByLine
        ? 'read line by line: each line starts in the same folder'
        : 'read as one script: each line starts where the one before it ended';
      return `${file}:${place.line}:${place.column} note check-block ${read}`;
    });
}

/** A task that only the plan's checks close is not proven. */
function noteOwnless(file: string, { tasks }: Plan, notes: readonly PlanNote[]): readonly string[] {
  if (notes.some(({ rule }) => rule === 'task-without-check')) return [];
  const ownless = tasks.filter((task) => !isClosed(task) && task.checks.every(({ knownRed }) => knownRed));
  const [first] = ownless;
  if (!first) return [];
  const names = ownless.map(({ id }) => id).join(', ');
  const which =
    ownless.length === 1
      ? `task ${names} has no check of its own, so it can pass but not be proven`
      : `tasks ${names} have no check of their own, so they can pass but not be proven`;
  return [
    `${file}:${first.place.line}:${first.place.column} note no-own-check ${which}: write "- check: \`command\`" below the heading`,
  ];
}

function asJson({ file, notes }: Linted): unknown[] {
  return notes.map(({ place, ...note }) => ({ file, line: place.line, column: place.column, ...note }));
}

function isError(note: PlanNote): boolean {
  return note.severity === 'error';
}
