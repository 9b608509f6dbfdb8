// The plan of a run: what is decided before anything is touched. Header, dry run, opening and driving only read it.
import type { Agent } from '../agent/agent.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { Caps } from '../event/caps.ts';
import { Failure } from '../failure.ts';
import { judgeWorkplace, readWorkplace } from '../git/place/workplace.ts';
import type { Repo } from '../git/run/repo.ts';
import { findLocked } from '../journal/lock.ts';
import type { RunState } from '../journal/state.ts';
import { namePlan } from '../phase/open/find-unfinished.ts';
import type { Base, OpenRequest } from '../phase/open/may-open.ts';
import type { RunOptions } from '../place/run.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { Purpose } from '../prompt/try-templates.ts';
import { defaultMaxSessions, findBlind } from '../work/budget/budget.ts';
import { agentsInUse, findLoginDoubts, judgeAgents } from './agent-start.ts';
import { judgeCheckPrograms, programsToAsk } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { inspectPlan, type ReadPlan } from './inspect-plan.ts';
import { judgeSessions, purposesOf } from './judge-sessions.ts';
import { wordsToRepeat } from './load-settings.ts';
import { makeBase, type StartFacts, startFactsOf } from './run-base.ts';
import type { RunFlags } from './run-options.ts';

export type RunPlan = Readonly<
  Pick<OpenRequest, 'planFile' | 'goal' | 'open' | 'workplace' | 'about' | 'caps' | 'newBranch'> & {
    options: Pick<RunOptions, 'task' | 'from' | 'maxTasks' | 'failOn' | 'tasksOnly' | 'takeEdits'>;
    /** None for a review and a dialogue. */
    document?: Plan;
    /** `of`: the run whose request is answered. */
    flags: RunFlags & Readonly<{ of?: RunState }>;
    notices: readonly string[];
  }
>;

/** `home`: the person's repository, if there is a ground. */
export type PreparedRun = Readonly<{ runPlan: RunPlan; base: Base; home?: Repo }>;

type RunChoice = Readonly<
  Omit<RunPlan, 'about' | 'caps' | 'newBranch' | 'notices'> & {
    base: Base;
    settings: Pick<LoadedConfig, 'caps' | 'notices'>;
    /** Why its place does not do, judged after its sessions. */
    refusal: Failure | undefined;
    purposes: readonly Purpose[];
    about: StartFacts;
    /** No program is started or asked for. */
    isOnlyShown?: boolean;
  }
>;

export async function prepareRun(
  context: CliContext,
  given: string | ReadPlan,
  options: RunFlags,
): Promise<PreparedRun> {
  const inspected = await inspectPlan(context, given, options);
  const { place, planFile, planLink, plan, open, trust, loaded, atOnce } = inspected;
  const { caps } = loaded;
  const { task, maxTasks, from, tasksOnly, takeEdits, dryRun } = options;
  const config = tasksOnly ? { ...loaded.config, review: { stages: [] } } : loaded.config;
  const base = await makeBase(context, { root: place.root, config, ...trust });
  const workplace = await readWorkplace(base.repo, { plan: planFile });
  // Changes here are not in a future worktree's way.
  const described = dryRun && (options.worktree || atOnce > 1) ? { ...workplace, dirt: [] } : workplace;
  // What a stopped run left is not only the user's; the first start warned.
  const warnings = open ? [] : workplace.warnings;
  return makeRunPlan(context, {
    base,
    workplace,
    planFile,
    open,
    document: plan,
    flags: options,
    settings: { caps, notices: [...inspected.notices, ...warnings] },
    refusal: judgeWorkplace(described, { resuming: open !== undefined }),
    purposes: purposesOf(config, { tasksOnly }),
    // A dry run touches nothing, not even an engine.
    isOnlyShown: !trust.trusted || (dryRun === true && config.sandbox.kind !== 'none'),
    about: {
      title: plan.title,
      trusted: trust.trusted,
      jobs: atOnce > 1 ? atOnce : undefined,
      planLink,
    },
    options: { tasksOnly, takeEdits, task, maxTasks, from },
  });
}

/** Throws the first problem as a Failure; nothing has changed. */
export async function makeRunPlan(context: CliContext, choice: RunChoice): Promise<PreparedRun> {
  const { base, settings, refusal, purposes, about, isOnlyShown, ...decided } = choice;
  const { document, flags } = decided;
  refuseBlindAgents(base, settings.caps, document?.tasks ?? (about.planning ? [{ id: 'plan' }] : []));
  judgeSessions({ ...base, root: base.repo.root }, purposes);
  if (refusal) throw findLocked(base.repo.gitDir) ?? refusal;
  const unready = isOnlyShown ? [] : await judgePrograms(context, choice);
  const runPlan: RunPlan = {
    ...decided,
    about: startFactsOf(context, base, about, wordsToRepeat(flags)),
    caps: withDefault(settings.caps, document?.tasks.length ?? 0, base.config),
    notices: [...settings.notices, ...unready],
  };
  return { runPlan, base };
}

/** Throws if programs cannot start; returns doubts. */
async function judgePrograms(
  context: CliContext,
  { base: { config, repo }, document: plan, planFile }: RunChoice,
): Promise<readonly string[]> {
  const { root } = repo;
  const agents = agentsInUse(config, plan?.tasks);
  const needed = plan ? programsToAsk(config, plan) : [];
  const also = needed.map(({ program }) => program);
  const notThere = await judgeAgents(context, config, { root, agents, also });
  if (!plan) return [];
  const others = findLoginDoubts(context, config, agents.slice(1));
  const missing = needed.filter(({ program }) => notThere.includes(program));
  return [...others, ...judgeCheckPrograms(config, namePlan(root, planFile), missing)];
}

/** With a default number of sessions, if nobody set one. */
function withDefault({ settings, asked }: Caps, tasks: number, { review }: Pick<Config, 'review'>): Caps {
  if (settings.some(({ budget }) => budget === 'sessions')) return { settings, asked };
  const cap = defaultMaxSessions(tasks, review.stages);
  return { settings: [...settings, { budget: 'sessions', cap, from: 'default' }], asked };
}

type BudgetedTask = Pick<Task, 'id'> & Partial<Pick<Task, 'agent' | 'budget'>>;

/**
 * Agents that are unknown or cannot report what a budget counts are an error now, not at night; an optional stage is
 * skipped later.
 */
function refuseBlindAgents({ agentNamed, config }: Base, caps: Caps, tasks: readonly BudgetedTask[]): void {
  for (const task of tasks) refuseBlind(agentNamed(task.agent), task, caps);
  for (const name of config.agent.fallback) refuseBlind(agentNamed(name), { id: 'agent.fallback' }, caps);
  for (const { name, agent, script, optional } of config.review.stages) {
    if (optional) continue;
    refuseBlind(script === undefined ? agentNamed(agent) : agentNamed('script', script), { id: name }, caps);
  }
}

/** Throws if the agent does not report what a budget counts: it could be exceeded unnoticed. */
export function refuseBlind(agent: Agent, task: BudgetedTask, { settings, asked }: Caps): void {
  const blind = findBlind(agent, { settings, asked });
  const own = !agent.can.cost && task.budget !== undefined;
  if (!blind && !own) return;
  const ofTask = `the budget of task ${task.id} cannot be enforced: the agent ${agent.name} does not report its cost`;
  throw new Failure('config', blind?.reason ?? ofTask, {
    hint: [
      'Use a cap that pawl counts itself (budgets.maxSessions or --max-time), or remove this one;',
      'for a script that prints stream-json with cost and tokens, set agent.script.reportsCost.',
    ].join('\n'),
  });
}
