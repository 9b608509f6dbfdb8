// Whether a plan can run here: it exists, is valid and has consent.
import path from 'node:path';
import type { LoadedConfig } from '../config/load.ts';
import { Failure } from '../failure.ts';
import { judgeWorkplace } from '../git/place/workplace.ts';
import { listRuns } from '../journal/folder.ts';
import { findOpenRun, namePlan } from '../phase/open/find-unfinished.ts';
import type { LintOptions } from '../plan/lint/rule.ts';
import { formatNote, lintBy, lintPlan, summarizeWarnings } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { commandsOf, isClosed, type Plan, untrackedBoxes } from '../plan/plan.ts';
import { widestOf } from '../plan/width/choose-tasks.ts';
import { verdictSwitches } from '../process/environment.ts';
import { formatCount } from '../report/text/figure.ts';
import { cleanText } from '../report/text/line.ts';
import { judgeWidth } from '../work/must-be-alone.ts';
import { type ConsentRequest, obtainTrust, wouldBeTrusted } from './consent.ts';
import type { CliContext } from './context.ts';
import { type FoundPlan, findPlan } from './find-plan.ts';
import { loadSettings, readFlags } from './load-settings.ts';
import {
  findPlace,
  isGround,
  outsideRepository,
  type Place,
  readSubmodules,
  refuseWideTree,
} from './locate.ts';
import { readChannels } from './messages.ts';
import { lookBeforeTrust } from './open-place.ts';
import type { RunFlags } from './run-options.ts';

export type InspectedPlan = Pick<LoadedConfig, 'config' | 'notices' | 'caps'> &
  Readonly<{
    place: Place;
    planFile: string;
    planLink: string | undefined;
    plan: Plan;
    /** Absent on a dry run. */
    consent: ConsentRequest | undefined;
    /** False only on a dry run, which does not ask. Settings are read, but nothing they name is started. */
    trusted: boolean;
    /** Most tasks at once, by settings and plan. */
    atOnce: number;
    resuming: boolean;
  }>;

/** A plan with its run's settings, before anything is judged or asked. */
export type ReadPlan = Readonly<{
  place: Place;
  found: FoundPlan;
  plan: Plan;
  loaded: LoadedConfig;
  width: ReturnType<typeof judgeWidth>;
}>;

export async function readPlan(context: CliContext, given: string, options: RunFlags): Promise<ReadPlan> {
  const { cwd } = context;
  const place = findPlace(cwd);
  if (!place) throw outsideRepository(context);
  const { root } = place;
  const found = findPlan(given, { cwd, place, fresh: options.fresh ?? false });
  const plan = parsePlan(found.text, found.file);
  refuseMistakes(plan, found.file, {});
  const loaded = loadSettings(context, {
    root,
    trusted: true,
    flags: readFlags(options),
    frontMatter: { file: found.file, settings: plan.settings },
  });
  const { config } = loaded;
  const width = judgeWidth(root, plan, options.task === undefined ? config : { ...config, jobs: 1 });
  return { place, found, plan, loaded, width };
}

export function widthOf({ plan, width }: Pick<ReadPlan, 'plan' | 'width'>): number {
  return width.jobs < 2 ? 1 : widestOf(plan, width);
}

/** `given`: a plan as it was named, or read. */
export async function inspectPlan(
  context: CliContext,
  given: string | ReadPlan,
  options: RunFlags,
): Promise<InspectedPlan> {
  const read = typeof given === 'string' ? await readPlan(context, given, options) : given;
  const { place, found, plan, loaded, width } = read;
  const { root } = place;
  const planFile = found.file;
  refuseUnknownTask(plan, namePlan(root, planFile), options);
  refuseWideTree(root, context);
  const { trust, trustHash, dryRun } = options;
  const { config, notices, caps } = loaded;
  await readChannels(loaded);
  const lint = { ...lintBy(config), submodules: readSubmodules(root) };
  refuseMistakes(plan, planFile, lint);
  const resuming = isGoneOnWith(place, planFile, options);
  if (!resuming) refuseFinished(plan, namePlan(root, planFile));
  const first = () => refuseGround(context, { place, planFile, options, resuming });
  const wanted = { root, checks: commandsOf(plan), trust, trustHash, first };
  const trusted = dryRun ? wouldBeTrusted(context, wanted) : true;
  const consent = dryRun ? undefined : await obtainTrust(context, wanted);
  // A dry run reports these itself.
  const toldElsewhere = new Set(['step-outside-task', ...(dryRun ? ['no-parallel'] : [])]);
  const warnings = lintPlan(plan, { ...lint, width }).filter(({ rule }) => !toldElsewhere.has(rule));
  const shown = summarizeWarnings(path.relative(context.cwd, planFile), warnings, width).map(cleanText);
  const isBegunHere = !isGround(place) && resuming;
  return {
    place,
    planFile,
    plan,
    consent,
    trusted,
    config,
    caps,
    resuming,
    atOnce: isBegunHere ? 1 : widthOf(read),
    planLink: found.link && namePlan(root, found.link),
    notices: [...notices, ...shown, ...noteSwitches(context)],
  };
}

/** What can decide a check beside the tree, said while a person is there. */
function noteSwitches({ env }: Pick<CliContext, 'env'>): readonly string[] {
  const set = verdictSwitches(env);
  return set.length === 0 ? [] : [`${set.join(', ')} in your environment can decide checks beside the code`];
}

export function refuseMistakes(plan: Plan, file: string, options: LintOptions): void {
  const errors = lintPlan(plan, options).filter((note) => note.severity === 'error');
  if (errors.length === 0) return;
  const lines = errors.map((note) => formatNote(file, note));
  throw new Failure('plan', `the plan cannot be run\n${lines.join('\n')}`);
}

async function refuseGround(
  context: CliContext,
  {
    place,
    planFile,
    options,
    resuming,
  }: Readonly<{ place: Place; planFile: string; options: RunFlags; resuming: boolean }>,
): Promise<void> {
  const { facts } = await lookBeforeTrust(context, place, planFile);
  const own = options.worktree ? { ...facts, dirt: [], operation: undefined } : facts;
  const refusal = judgeWorkplace(own, { resuming });
  if (refusal) throw refusal;
}

/** Else a slip would be a run that does nothing and reports success. */
function refuseUnknownTask(plan: Plan, name: string, { task, from }: RunFlags): void {
  const ids = plan.tasks.map(({ id }) => id);
  for (const [flag, id] of Object.entries({ '--task': task, '--from': from })) {
    if (id === undefined || ids.includes(id)) continue;
    throw new Failure('usage', `${flag}: there is no task ${id} in ${name}`, {
      hint: `Its tasks are ${ids.join(', ')}.`,
    });
  }
}

function isGoneOnWith(place: Place, planFile: string, { fresh }: RunFlags): boolean {
  return !fresh && findOpenRun(listRuns(place.commonDir), namePlan(place.root, planFile)) !== undefined;
}

/** A run would do nothing, archive the plan and call it done. */
export function refuseFinished(plan: Plan, name: string): void {
  if (!plan.tasks.every(isClosed)) return;
  const manual = plan.tasks.flatMap(({ steps }) => steps).filter((step) => step.manual && !step.ticked);
  const outside = untrackedBoxes(plan);
  const left = [
    ...(manual.length > 0 ? [`${formatCount(manual.length, 'step')} left to a person`] : []),
    ...(outside.length > 0
      ? [
          `${formatCount(outside.length, 'open box', 'open boxes')} that no task tracks, on line ${outside[0]?.line}${outside.length > 1 ? ' and below' : ''}`,
        ]
      : []),
  ];
  const but =
    left.length > 0
      ? `; there ${manual.length + outside.length === 1 ? 'is' : 'are'} ${left.join(', and ')}`
      : '';
  throw new Failure('plan', `${name} has nothing left for an agent: all its tasks are closed${but}`, {
    hint: 'Untick the boxes of what should be done again. `pawl review` reviews the changes of a branch.',
  });
}
