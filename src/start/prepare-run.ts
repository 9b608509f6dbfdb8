// Prepares a run before anything changes: plan, consent, settings, agent, repository.

import type { Config } from '../config/schema.ts';
import { readStages } from '../config/stages.ts';
import { defined } from '../defined.ts';
import { judgeWorkplace, readWorkplace } from '../git/place/workplace.ts';
import { listRuns } from '../journal/folder.ts';
import { findOpenRun, namePlan } from '../phase/open/find-unfinished.ts';
import type { OpenRequest } from '../phase/open/open-request.ts';
import type { Plan } from '../plan/plan.ts';
import { agentsInUse, findLoginDoubts } from './agent-start.ts';
import { refuseBlind, refuseBlindFallbacks, refuseBlindReviewers, withDefault } from './budgets.ts';
import { judgeCheckPrograms, programsToAsk } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { wordsToRepeat } from './flags.ts';
import { type InspectedPlan, inspectPlan } from './inspect-plan.ts';
import { judgeAgents } from './judge-sandbox.ts';
import { judgeSessions, purposesOf } from './judge-sessions.ts';
import { endCutOffSwitch } from './open-place.ts';
import { aboutOf, makeBase } from './run-base.ts';
import type { RunFlags } from './run-options.ts';

export type Prepared = Readonly<{
  request: Omit<OpenRequest, 'show' | 'greet' | 'mask'>;
  plan: Plan;
  /** Stands for what was consented to; absent on a dry run. */
  trustHash?: string;
  /** On a dry run: a real run would ask for consent first. */
  needsConsent: boolean;
  /** Notices for the person before it starts. */
  notices: readonly string[];
}>;

/** Reads, asks and judges; throws the first problem as a Failure. Nothing has changed. */
export async function prepareRun(
  context: CliContext,
  given: string | undefined,
  options: RunFlags,
): Promise<Prepared> {
  const inspected = await inspectPlan(context, given, options);
  const { place, config, consent, trusted } = inspected;
  const base = await makeBase(context, { root: place.root, config, consent, trusted });
  return judgeGround(context, base, { inspected, options });
}

/** Judges what only the opened repository can tell, and puts the request together. */
async function judgeGround(
  context: CliContext,
  base: OpenRequest['base'],
  { inspected, options }: Readonly<{ inspected: InspectedPlan; options: RunFlags }>,
): Promise<Prepared> {
  const { planFile, planLink, plan, consent, trusted, config, notices, caps, atOnce } = inspected;
  const { repo } = base;
  const stages = readStages(config.review.stages);
  if (!options.dryRun) await endCutOffSwitch(context, repo);
  const workplace = await readWorkplace(repo, { plan: planFile });
  const resuming =
    !options.fresh && findOpenRun(listRuns(repo.home), namePlan(repo.root, planFile)) !== undefined;
  // A task's agent that is unknown, or that cannot report its cost, is an error now, not in the middle of the night.
  for (const task of plan.tasks) refuseBlind(base.agentNamed(task.agent), task, caps);
  refuseBlindFallbacks(base, caps);
  refuseBlindReviewers(base, stages, caps);
  const wanted = purposesOf(config, { stages, tasksOnly: options.tasksOnly ?? false });
  const unread = judgeSessions({ ...base, config, stages, root: repo.root }, wanted);
  // A dry run describes a future worktree from here; changes here would not be in its way.
  const described = options.dryRun && options.worktree ? { ...workplace, dirt: [] } : workplace;
  const refusal = judgeWorkplace(described, { resuming });
  if (refusal) throw refusal;
  // What has not been consented to yet is shown, not started.
  const unready = !trusted
    ? []
    : await judgePrograms(context, { config, plan, planFile, root: repo.root, options });
  return {
    plan,
    needsConsent: !trusted,
    ...defined({ trustHash: consent?.hash }),
    // What a stopped run left in the tree is not only the user's; the first start gave the other warnings.
    notices: [...notices, ...unread, ...unready, ...(resuming ? [] : workplace.warnings)],
    request: {
      base,
      planFile,
      workplace,
      about: aboutOf(context, base, {
        ...{ title: plan.title, trusted: true, jobs: atOnce, planLink },
        stages: options.tasksOnly ? [] : stages,
        flags: wordsToRepeat(options),
      }),
      caps: withDefault(caps, { tasks: plan.tasks.length, stages }),
      options: pickOptions(options),
      fresh: options.fresh ?? false,
    },
  };
}

function pickOptions({
  tasksOnly = false,
  takeEdits = false,
  task,
  maxTasks,
  from,
}: RunFlags): OpenRequest['options'] {
  return {
    tasksOnly,
    takeEdits,
    ...defined({ task, maxTasks, from }),
  };
}

async function judgePrograms(
  context: CliContext,
  given: Readonly<{ config: Config; plan: Plan; planFile: string; root: string; options: RunFlags }>,
): Promise<readonly string[]> {
  const { config, root, options } = given;
  // A dry run touches nothing, not even an engine.
  if (options.dryRun && config.sandbox.kind !== 'none') return [];
  const stages = options.tasksOnly ? [] : readStages(config.review.stages);
  const agents = agentsInUse(config, { tasks: given.plan.tasks, stages });
  const also = programsToAsk(config, given.plan);
  const notThere = await judgeAgents(context, config, { root, agents, also });
  const others = findLoginDoubts(context, config, agents.slice(1));
  return [...others, ...judgeCheckPrograms(config, given, notThere)];
}
