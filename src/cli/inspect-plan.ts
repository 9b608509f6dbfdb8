// Whether a plan can be run here, before anything else is looked at: it is found, sound, consented to, and its settings are
// read. It opens no repository and changes nothing.
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { Failure } from '../failure.ts';
import { namePlan } from '../phase/open/find-run.ts';
import { formatNote, type LintOptions, lintBy, lintPlan } from '../plan/lint.ts';
import { parsePlan } from '../plan/parse.ts';
import { commandsOf, type Plan } from '../plan/plan.ts';
import { choosePlan } from './choose-plan.ts';
import { type Given, isTrusted, obtainTrust } from './consent.ts';
import type { CliContext } from './context.ts';
import { type FoundPlan, findPlan } from './find-plan.ts';
import { readFlags } from './flags.ts';
import { findPlace, type Place } from './place.ts';
import { judgeReach } from './reach.ts';
import type { RunOptions } from './run-options.ts';

/** A plan that can be run. */
export type InspectedPlan = Pick<LoadedConfig, 'config' | 'notices' | 'caps'> &
  Readonly<{
    place: Place;
    planFile: string;
    plan: Plan;
    /** Absent on a dry run. */
    consent: Given | undefined;
    /** What is the repository's own counts: false only on a dry run. */
    trusted: boolean;
  }>;

/** Reads, asks and judges; the first thing that is wrong is a Failure. */
export async function inspectPlan(
  context: CliContext,
  given: string | undefined,
  options: RunOptions,
): Promise<InspectedPlan> {
  const place = findPlace(context.cwd);
  const found = findPlan(given ?? choosePlan(context, place), {
    cwd: context.cwd,
    place,
    fresh: options.fresh ?? false,
  });
  const planFile = found.file;
  const plan = readSoundPlan(found);
  if (!place) throw outsideRepository(context);
  refuseUnknownTask(plan, namePlan(place.root, planFile), options);
  const tooWide = judgeReach(place.root, context);
  if (tooWide) throw tooWide;
  const { root } = place;
  const { trust, trustHash, dryRun } = options;
  const trusted = dryRun ? isTrusted(context, root) : true;
  const consent = dryRun
    ? undefined
    : await obtainTrust(context, { root, checks: commandsOf(plan), trust, trustHash });
  const { config, notices, caps } = loadConfig({
    root,
    env: context.env,
    folders: context.folders,
    trusted,
    flags: await readFlags(options),
    frontMatter: { file: planFile, settings: plan.settings },
  });
  refuseMistakes(plan, planFile, lintBy(config));
  return { place, planFile, plan, consent, trusted, config, notices, caps };
}

function readSoundPlan({ file, text }: FoundPlan): Plan {
  const plan = parsePlan(text, file);
  refuseMistakes(plan, file, {});
  return plan;
}

function refuseMistakes(plan: Plan, file: string, options: LintOptions): void {
  const errors = lintPlan(plan, options).filter((note) => note.severity === 'error');
  if (errors.length === 0) return;
  const lines = errors.map((note) => formatNote(file, note));
  throw new Failure('plan', `the plan cannot be run\n${lines.join('\n')}`);
}

/** Without this a slip in an id would be a run that does nothing, and says that all is well. */
function refuseUnknownTask(plan: Plan, name: string, { task, from }: RunOptions): void {
  const ids = plan.tasks.map(({ id }) => id);
  for (const [flag, id] of Object.entries({ '--task': task, '--from': from })) {
    if (id === undefined || ids.includes(id)) continue;
    throw new Failure('usage', `${flag}: there is no task ${id} in ${name}`, {
      hint: `Its tasks are ${ids.join(', ')}.`,
    });
  }
}

function outsideRepository(context: CliContext): Failure {
  return new Failure('preflight', `${context.cwd} is not in a git repository`, {
    hint: 'Run `git init`, commit what is there, and start again.',
  });
}
