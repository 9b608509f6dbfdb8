// `pawl lint`: reports mistakes in plans; on request also checks that pass before the work.
import path from 'node:path';
import type { CheckRun } from '../check/check-run.ts';
import { fixed } from '../config/fixed.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { readPlanLayer } from '../config/text-layer.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import { formatNote, lintBy, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { type Check, isClosed, type Plan, type PlanNote } from '../plan/plan.ts';
import { formatCount } from '../report/text/figure.ts';
import { cleanText, emptyLine, type Line, line, span, spanned } from '../report/text/line.ts';
import {
  findNotThere,
  findWithoutTarget,
  placeOf,
  programsToAsk,
  refuseSandbox,
} from '../start/check-programs.ts';
import { obtainTrust } from '../start/consent.ts';
import { type CliContext, print, printLines, printNote } from '../start/context.ts';
import { loadSettings, rootOf } from '../start/load-settings.ts';
import { listPlans, readSubmodules } from '../start/locate.ts';
import { noPlan } from '../start/resolve-word.ts';
import { cutToWidth } from '../width.ts';
import { judgeWidth } from '../work/must-be-alone.ts';
import type { Command } from './command.ts';

export type LintCommandOptions = Readonly<{
  strict?: boolean;
  runChecks?: boolean;
  json?: boolean;
  jobs?: number;
}>;

/** `file`: as it was named. */
type NamedPlan = Readonly<{ file: string; plan: Plan }>;

type Linted = NamedPlan & Readonly<{ notes: readonly PlanNote[]; tried: number }>;

/** Exits with 2 for an error. */
export const lintPlans: Command<LintCommandOptions> = async (context, args, options) => {
  const root = rootOf(context);
  const files = args.length > 0 ? args : findPlans(context, root);
  const plans: readonly NamedPlan[] = files.map((file) => {
    const found = locatePlan(file, context.cwd);
    return { file, plan: parsePlan(readPlanFile(found), found) };
  });
  const { config, notices } = await settingsFor(context, root, { plans, options });
  for (const notice of notices) printNote(context, notice);
  const linted: Linted[] = [];
  for (const plan of plans) linted.push(await lintOne(context, plan, { config, root, options }));
  if (options.json) print(context, JSON.stringify(linted.flatMap(asJson), undefined, 2));
  else showNotes(context, linted);
  return linted.some(({ notes }) => notes.some(isError)) ? 2 : 0;
};

async function lintOne(
  context: CliContext,
  named: NamedPlan,
  { config, root, options }: Readonly<{ config: Config; root: string; options: LintCommandOptions }>,
): Promise<Linted> {
  const { file, plan } = named;
  const timeoutMs = Math.min(config.clocks.check, fixed.trialMs);
  const tried = options.runChecks ? await tryOwnChecks(context, plan, { root, timeoutMs }) : [];
  const green = tried.flatMap(({ check, result }) => (result === 'green' ? check.id : []));
  const needed = programsToAsk(config, plan);
  const programs = needed.map(({ program }) => program);
  const notThere = await findNotThere(context, config, { root, programs });
  const missing = needed.filter(({ program }) => notThere.includes(program));
  const { problems } = readPlanLayer(plan.settings, file);
  const values = problems.map(({ origin, text }): PlanNote => {
    const { line = 1, column = 1 } = origin;
    return { rule: 'front-matter', severity: 'error', message: text, place: { line, column, offset: 0 } };
  });
  const notes = lintPlan(plan, {
    ...lintBy({ ...config, strict: options.strict ?? config.strict }),
    green: new Set(green),
    missing: [...missing, ...findWithoutTarget(config, plan, root)],
    where: placeOf(config),
    submodules: readSubmodules(root),
    width: judgeWidth(root, plan, { ...config, jobs: options.jobs ?? config.jobs }),
  });
  return { ...named, notes: [...values, ...notes], tried: tried.length };
}

/** To run checks, the settings as they are once trusted: the repository's may ask for a sandbox. */
async function settingsFor(
  context: CliContext,
  root: string,
  { plans, options }: Readonly<{ plans: readonly NamedPlan[]; options: LintCommandOptions }>,
): Promise<LoadedConfig> {
  const before = loadSettings(context);
  if (!options.runChecks) return before;
  refuseSandbox(before.config, '--run-checks');
  const checks = plans.flatMap(({ plan }) => openChecks(plan).map(({ command }) => command));
  if (checks.length > 0) await obtainTrust(context, { root, checks });
  const trusted = loadSettings(context);
  refuseSandbox(trusted.config, '--run-checks');
  return trusted;
}

/** One that is green before the work proves nothing. */
function openChecks({ tasks }: Plan): readonly Check[] {
  return tasks.flatMap((task) => (isClosed(task) ? [] : task.checks));
}

async function tryOwnChecks(
  context: CliContext,
  plan: Plan,
  given: Readonly<{ root: string; timeoutMs: number }>,
): Promise<readonly CheckRun[]> {
  const wanted = openChecks(plan);
  if (wanted.length === 0) printNote(context, 'No open task has its own check, so there is none to run.');
  // Nothing else here needs the rooms that run programs.
  const { tryChecks } = await import('../start/try-checks.ts');
  return tryChecks(context, wanted, given);
}

function findPlans({ cwd }: CliContext, root: string): readonly string[] {
  const plans = listPlans(root);
  if (plans.length > 0) return plans.map((file) => path.relative(cwd, file));
  throw noPlan('pawl lint');
}

function showNotes(context: CliContext, linted: readonly Linted[]): void {
  for (const { file, plan, notes } of linted) {
    const source = plan.text.split('\n');
    const format = (note: PlanNote) =>
      context.isTty ? frameNote(file, note, source) : [line('plain', formatNote(file, note))];
    printLines(context, [...notes.flatMap(format), ...noteOwnless(file, plan, notes)]);
  }
  const all = linted.flatMap(({ notes }) => notes);
  const errors = all.filter(isError).length;
  const green = all.filter(({ rule }) => rule === 'vacuous-check').length;
  const plans = linted.length === 1 ? cleanText(linted[0]?.file ?? '') : `${linted.length} plans`;
  const tried = linted.reduce((sum, one) => sum + one.tried, 0);
  const checks = `${formatCount(tried, 'check')} of open tasks run, ${tried - green} red now, as they should be`;
  const found = `${formatCount(errors, 'error')}, ${formatCount(all.length - errors, 'warning')}`;
  printNote(context, `${plans}: ${all.length === 0 ? 'fine' : found}${tried === 0 ? '' : `; ${checks}`}`);
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

/** A task that only the plan's checks close is proven by its tests or not at all. */
function noteOwnless(file: string, { tasks }: Plan, notes: readonly PlanNote[]): readonly Line[] {
  const ownless = tasks.filter((task) => !isClosed(task) && task.checks.every(({ knownRed }) => knownRed));
  const [first] = ownless;
  if (!first || notes.some(({ rule }) => rule === 'task-without-check')) return [];
  const { line: at, column } = first.place;
  const which = `${ownless.length === 1 ? 'task' : 'tasks'} ${ownless.map(({ id }) => id).join(', ')}`;
  const says = `${which} can be proven only by tests in its work, without a check of its own: write "- check: \`command\`" below the heading`;
  return [line('plain', `${file}:${at}:${column} note no-own-check ${says}`)];
}

function asJson({ file, notes }: Linted): unknown[] {
  return notes.map(({ place, ...note }) => ({ file, line: place.line, column: place.column, ...note }));
}

function isError(note: PlanNote): boolean {
  return note.severity === 'error';
}
