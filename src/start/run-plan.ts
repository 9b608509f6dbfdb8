// The plan of a run: everything that is decided before anything is touched, in one value. It is made once, from what a
// person asks for, the settings and a look at the repository; header, dry run and opening only read it.
import type { Agent } from '../agent/agent.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Stage } from '../config/stages.ts';
import type { Caps } from '../event/caps.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import { Failure } from '../failure.ts';
import type { WorkplaceFacts } from '../git/place/workplace.ts';
import type { DialogueFact } from '../journal/fold-dialogue.ts';
import type { OpenRequest } from '../phase/open/open-request.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { Purpose } from '../prompt/try-templates.ts';
import { defaultMaxSessions, findBlind } from '../work/budget/budget.ts';
import { agentsInUse, findLoginDoubts } from './agent-start.ts';
import { judgeCheckPrograms, programsToAsk } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { judgeAgents } from './judge-sandbox.ts';
import { judgeSessions } from './judge-sessions.ts';
import { type StartFacts, startFactsOf } from './run-base.ts';

export type RunPlan = Readonly<{
  request: Omit<OpenRequest, 'show' | 'greet' | 'mask'>;
  /** Notices for the person before it starts. */
  notices: readonly string[];
  /** On a dry run: a real run would ask for consent first. */
  needsConsent: boolean;
  /** The plan whose tasks are worked on; none for a review and a dialogue. */
  plan?: Plan;
  /** Of a dialogue: what was asked for, and the last message of the one that is continued. */
  dialogue?: Readonly<{ asked: PlanningAsked; open: DialogueFact | undefined }>;
}>;

/** What one kind of run decides for itself. */
export type RunChoice = Readonly<{
  base: OpenRequest['base'];
  settings: Pick<LoadedConfig, 'caps' | 'notices'>;
  workplace: WorkplaceFacts;
  /** Why its place does not do, judged after its sessions. */
  refusal: Failure | undefined;
  stages: readonly Stage[];
  purposes: readonly Purpose[];
  about: StartFacts;
  request: Pick<OpenRequest, 'planFile' | 'goal' | 'goesOn' | 'options' | 'fresh'>;
  /** More facts about its start. */
  asked?: Partial<OpenRequest['about']>;
  plan?: Plan;
  dialogue?: RunPlan['dialogue'];
  /** On a dry run. */
  needsConsent?: boolean;
  /** No program is started or asked for: what has not been consented to is only shown. */
  isOnlyShown?: boolean;
}>;

/** Judges what all kinds have in common; throws the first problem as a Failure. Nothing has changed. */
export async function makeRunPlan(context: CliContext, choice: RunChoice): Promise<RunPlan> {
  const { base, settings, workplace, refusal, stages, purposes, about, request, plan, dialogue } = choice;
  const { repo } = base;
  const { caps } = settings;
  refuseBlindAgents(base, caps, { tasks: plan?.tasks ?? (dialogue ? [{ id: 'plan' }] : []), stages });
  const unread = judgeSessions({ ...base, stages, root: repo.root }, purposes);
  if (refusal) throw refusal;
  const unready = choice.isOnlyShown ? [] : await judgePrograms(context, choice);
  return {
    notices: [...settings.notices, ...unread, ...unready],
    needsConsent: choice.needsConsent ?? false,
    ...(plan ? { plan } : {}),
    ...(dialogue ? { dialogue } : {}),
    request: {
      ...{ base, workplace, ...request },
      about: { ...startFactsOf(context, base, about), ...choice.asked },
      caps: withDefault(caps, { tasks: plan?.tasks.length ?? 0, stages }),
    },
  };
}

/** Whether agents and the programs of checks can be started; returns doubts. */
async function judgePrograms(
  context: CliContext,
  { base: { config, repo }, plan, stages, request }: RunChoice,
): Promise<readonly string[]> {
  const { root } = repo;
  const agents = agentsInUse(config, { tasks: plan?.tasks ?? [], stages });
  const also = plan ? programsToAsk(config, plan) : [];
  const notThere = await judgeAgents(context, config, { root, agents, also });
  if (!plan) return [];
  const others = findLoginDoubts(context, config, agents.slice(1));
  return [...others, ...judgeCheckPrograms(config, { plan, planFile: request.planFile, root }, notThere)];
}

/** The caps, with a default number of sessions for that many tasks and those review stages if nobody set one. */
function withDefault(
  { settings, asked }: Caps,
  { tasks, stages }: Readonly<{ tasks: number; stages: readonly Stage[] }>,
): Caps {
  if (settings.some(({ budget }) => budget === 'sessions')) return { settings, asked };
  const cap = defaultMaxSessions(tasks, stages);
  return { settings: [...settings, { budget: 'sessions', cap, from: 'default' }], asked };
}

type BudgetedTask = Pick<Task, 'id'> & Partial<Pick<Task, 'agent' | 'budget'>>;

/**
 * Agents that are unknown or cannot report what a budget counts: an error now, not in the middle of the night. An optional
 * stage is skipped when its turn comes.
 */
function refuseBlindAgents(
  { agentNamed, config }: OpenRequest['base'],
  caps: Caps,
  { tasks, stages }: Readonly<{ tasks: readonly BudgetedTask[]; stages: readonly Stage[] }>,
): void {
  for (const task of tasks) refuseBlind(agentNamed(task.agent), task, caps);
  for (const name of config.agent.fallback) refuseBlind(agentNamed(name), { id: 'agent.fallback' }, caps);
  for (const { name, agent, script, optional } of stages) {
    if (optional) continue;
    refuseBlind(script === undefined ? agentNamed(agent) : agentNamed('script', script), { id: name }, caps);
  }
}

/** Throws if a task's agent does not report what a budget counts: it could be exceeded unnoticed. */
export function refuseBlind(agent: Agent, task: BudgetedTask, { settings, asked }: Caps): void {
  const blind = findBlind(agent, { settings, asked });
  const own = !agent.can.cost && task.budget !== undefined;
  if (!blind && !own) return;
  const ofTask = `the budget of task ${task.id} cannot be enforced: the agent ${agent.name} does not report its cost`;
  throw new Failure('config', blind?.reason ?? ofTask, {
    hint: [
      'Use a cap that pawl counts itself (--max-sessions or --max-time), or remove this one;',
      'for a script that prints stream-json with cost and tokens, set agent.script.reportsCost.',
    ].join('\n'),
  });
}
