// Prepares the run of a plan before anything changes.
import { readStages } from '../config/stages.ts';
import { defined } from '../defined.ts';
import { judgeWorkplace, readWorkplace } from '../git/place/workplace.ts';
import type { CliContext } from './context.ts';
import { wordsToRepeat } from './flags.ts';
import { inspectPlan, type ReadPlan } from './inspect-plan.ts';
import { purposesOf } from './judge-sessions.ts';
import { makeBase } from './run-base.ts';
import type { RunFlags } from './run-options.ts';
import { makeRunPlan, type PreparedRun, type RunPlan } from './run-plan.ts';

export async function prepareRun(
  context: CliContext,
  given: string | ReadPlan,
  options: RunFlags,
): Promise<PreparedRun> {
  const inspected = await inspectPlan(context, given, options);
  const { place, planFile, planLink, plan, consent, trusted, config, caps, atOnce, resuming } = inspected;
  const { tasksOnly = false, dryRun = false, fresh = false } = options;
  const base = await makeBase(context, { root: place.root, config, consent, trusted });
  const { repo } = base;
  const all = readStages(config.review.stages);
  const stages = tasksOnly ? [] : all;
  const workplace = await readWorkplace(repo, { plan: planFile });
  // Changes here are not in a future worktree's way.
  const described = dryRun && (options.worktree || atOnce > 1) ? { ...workplace, dirt: [] } : workplace;
  // What a stopped run left is not only the user's; the first start warned.
  const warnings = resuming ? [] : workplace.warnings;
  const made = await makeRunPlan(context, {
    ...{ base, workplace, stages, planFile, fresh, document: plan, needsConsent: !trusted, flags: options },
    settings: { caps, notices: inspected.notices },
    refusal: judgeWorkplace(described, { resuming }),
    purposes: purposesOf(config, { stages, tasksOnly }),
    // A dry run touches nothing, not even an engine.
    isOnlyShown: !trusted || (dryRun && config.sandbox.kind !== 'none'),
    about: {
      ...{ title: plan.title, trusted: true, jobs: atOnce, planLink, stages },
      flags: wordsToRepeat(options),
    },
    options: pickOptions(options),
  });
  const { runPlan } = made;
  return { ...made, runPlan: { ...runPlan, notices: [...runPlan.notices, ...warnings] } };
}

function pickOptions({
  tasksOnly = false,
  takeEdits = false,
  task,
  maxTasks,
  from,
}: RunFlags): RunPlan['options'] {
  return { tasksOnly, takeEdits, ...defined({ task, maxTasks, from }) };
}
