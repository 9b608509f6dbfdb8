// Checks the agents that may stand in for another, and reports what each configured agent cannot do. Starts only
// `--version`.
import type { Agent } from '../../agent/agent.ts';
import { adapterOf, shippedAgent } from '../../agent/agents.ts';
import { type AgentName, agentNames } from '../../config/agent-name.ts';
import { readStages } from '../../config/stages.ts';
import { agentLocationOf } from '../../start/agent-location.ts';
import { agentsInUse, withAgent } from '../../start/agent-start.ts';
import { judgeAgent, lookAgent } from './agent.ts';
import { type Checkup, type DoctorTools, type Entry, makeEntry, ok } from './entry.ts';

/** An entry for each agent that could be a fallback, and one about what they lack. */
export const fallbackEntries: readonly Entry[] = [
  ...agentNames.map((name) =>
    makeEntry(
      'fallback',
      (tools) => lookFallback(tools, name),
      (found) => found,
    ),
  ),
  makeEntry('lacks', lookLacks, judgeLacks),
];

async function lookFallback(tools: DoctorTools, name: AgentName): Promise<Checkup | undefined> {
  const { agent } = tools.config;
  if (!agent.fallback.includes(name) || name === agent.name) return undefined;
  const config = withAgent(tools.config, name);
  const found = judgeAgent(await lookAgent({ ...tools, config }));
  if (found?.state !== 'ok') return found;
  const login = adapterOf(name).examineLogin?.(config, agentLocationOf(tools.context, config));
  return login && login.state !== 'ok' ? { ...login, says: `${name}: ${login.says}` } : found;
}

type Lacks = ReadonlyMap<AgentName, readonly string[]>;

function lookLacks({ config }: DoctorTools): Lacks {
  const names = agentsInUse(config, { stages: readStages(config.review.stages) });
  return new Map(names.map((name) => [name, lacksOf(shippedAgent(config, undefined, name))]));
}

/** What pawl must do without when this agent works. */
export function lacksOf({ can, silentAtLimit }: Pick<Agent, 'can' | 'silentAtLimit'>): readonly string[] {
  return [
    ...(can.followUp ? [] : ['corrections in the same process']),
    ...(can.resume ? [] : ['continuing its conversation after a kill']),
    ...(can.usage ? [] : ['tokens']),
    ...(can.cost ? [] : ['cost in dollars']),
    ...(can.limits
      ? []
      : [silentAtLimit ? 'word of its usage limit (it falls silent)' : 'the reset of its usage limit']),
  ];
}

function judgeLacks(lacks: Lacks): Checkup | undefined {
  const lines = [...lacks].flatMap(([name, missing]) =>
    missing.length === 0 ? [] : [`${name}: no ${missing.join(', no ')}`],
  );
  return lines.length === 0 ? undefined : ok(lines.join('\n'));
}
