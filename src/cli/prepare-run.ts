// Everything that is settled before a run touches anything: plan, consent, settings, agent, repository.
import path from 'node:path';
import { programOf, shippedAgent } from '../agent/shipped.ts';
import { findShell } from '../check/shell.ts';
import { findLogins, judgeBilling } from '../config/login.ts';
import type { Config } from '../config/schema.ts';
import { changedSince } from '../config/trust.ts';
import { findTrustFiles } from '../config/trust-files.ts';
import { openRepo, type Repo } from '../git/repo.ts';
import { judgeWorkplace, readWorkplace } from '../git/workplace.ts';
import { listRuns } from '../journal/folder.ts';
import { findOpenRun, namePlan } from '../phase/find-run.ts';
import type { OpenRequest } from '../phase/open-run.ts';
import type { Plan } from '../plan/plan.ts';
import { sleep } from '../process/clock.ts';
import { childEnvironment } from '../process/environment.ts';
import { createLauncher } from '../process/launcher.ts';
import { createSpawn } from '../process/spawn.ts';
import { createSweep } from '../process/sweep.ts';
import { judgeAgentStart } from './agent-start.ts';
import { refuseBlind, withDefault } from './budgets.ts';
import { judgeCheckPrograms } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { inspectPlan } from './inspect-plan.ts';
import type { RunOptions } from './run-options.ts';

/** A run that can be opened. */
export type Prepared = Readonly<{
  request: Omit<OpenRequest, 'show' | 'greet' | 'mask'>;
  plan: Plan;
  /** Stands for what was consented to; absent on a dry run. */
  trustHash?: string;
  /** What a person should know before it starts. */
  notices: readonly string[];
}>;

/** Reads, asks and judges; the first thing that is wrong is a Failure, and nothing was changed. */
export async function prepareRun(
  context: CliContext,
  given: string | undefined,
  options: RunOptions,
): Promise<Prepared> {
  const { place, planFile, plan, consent, config, notices, caps } = await inspectPlan(
    context,
    given,
    options,
  );
  const env = childEnvironment(context.env);
  const tools = { spawn: createSpawn(), sweep: createSweep(), env };
  const repo = await openRepo(place.root, {
    ...tools,
    launcher: createLauncher,
    gitMs: config.clocks.git,
    commitMs: config.clocks.commit,
  });
  const workplace = await readWorkplace(repo, { plan: planFile });
  const resuming =
    !options.fresh && findOpenRun(listRuns(repo.commonDir), namePlan(repo.root, planFile)) !== undefined;
  const billing = judgeBilling(
    config.agent.claude.apiKey,
    findLogins(context.env, context.folders.home, context.platform),
  );
  // An agent that a task names and nobody knows, or that cannot tell what it costs, is an error now, not in the night.
  for (const task of plan.tasks) refuseBlind(shippedAgent(config, billing, task.agent), task, caps);
  const refusal = judgeWorkplace(workplace, { resuming }) ?? judgeAgentStart(context, config);
  if (refusal) throw refusal;
  const unready = judgeCheckPrograms(context, config, { plan, planFile });
  return {
    plan,
    ...(consent ? { trustHash: consent.hash } : {}),
    // What a stopped run left in the tree is no longer only the user's; the first start said the rest.
    notices: [...notices, ...unready, ...(resuming ? [] : workplace.warnings)],
    request: {
      base: {
        ...tools,
        repo,
        config,
        agentNamed: (name, script) => shippedAgent(config, billing, name, script),
        shell: await findShell(env),
        library: libraryOf(context, repo),
        untrusted: () => (consent ? changedSince(findTrustFiles(place.root), consent.files) : []),
        signal: context.signal,
        now: context.now,
        sleep,
        random: context.random,
      },
      planFile,
      workplace,
      about: aboutOf(context, config, { plan, billing: billing.billing }),
      caps: withDefault(caps, plan),
      options: {
        tasksOnly: options.tasksOnly ?? false,
        takeEdits: options.takeEdits ?? false,
        ...(options.task === undefined ? {} : { task: options.task }),
        ...(options.maxTasks === undefined ? {} : { maxTasks: options.maxTasks }),
        ...(options.from === undefined ? {} : { from: options.from }),
      },
      fresh: options.fresh ?? false,
    },
  };
}

function aboutOf(
  context: CliContext,
  config: Config,
  known: { plan: Plan; billing: string },
): OpenRequest['about'] {
  const { agent } = config;
  const model = config.roles.task ?? (agent.name === 'script' ? undefined : agent[agent.name].model);
  return {
    pawl: context.version,
    title: known.plan.title,
    agent: agent.name,
    agentCommand: programOf(config),
    billing: billingOf(agent.name, known.billing),
    trusted: true,
    ...(model === undefined ? {} : { model }),
    ...(agent.name === 'claude' ? { permissions: agent.claude.permissions } : {}),
  };
}

function billingOf(agent: Config['agent']['name'], claude: string): string {
  return { claude, codex: 'the account codex is logged in with', script: 'as the script sees fit' }[agent];
}

/** Templates of the project, which consent covers, then the user's, then the shipped ones. */
function libraryOf(context: CliContext, repo: Repo): readonly string[] {
  return [
    path.join(repo.root, '.pawl', 'templates'),
    path.join(context.folders.config, 'templates'),
    path.join(context.packageRoot, 'templates'),
  ];
}
