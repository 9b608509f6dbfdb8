// Tries the own sandbox of each agent that works or reviews, with a command that does nothing. Spends no tokens.
import { adapterOf } from '../../agent/agents.ts';
import { type AgentName, agentNames } from '../../config/agent-name.ts';
import type { Config } from '../../config/schema.ts';
import { readStages } from '../../config/stages.ts';
import { type Entry, type Eyes, type Found, makeEntry } from './entry.ts';

/** An entry for each agent that has a sandbox of its own. */
export const trialEntries: readonly Entry[] = agentNames
  .filter((name) => adapterOf(name).trial !== undefined)
  .map((name) =>
    makeEntry(
      name,
      (eyes) => tryOut(name, eyes),
      (found) => found,
    ),
  );

async function tryOut(name: AgentName, { config, has, run }: Eyes): Promise<Found | undefined> {
  const { command = '', args } = config.agent[name];
  const { trial } = adapterOf(name);
  // In a container it is another machine's.
  if (!trial || !isUsed(name, config) || config.sandbox.kind === 'docker' || !has(command)) return undefined;
  return trial.judge(await run(command, [...args, ...trial.args]));
}

function isUsed(name: AgentName, { agent, review }: Config): boolean {
  return agent.name === name || readStages(review.stages).some((stage) => stage.agent === name);
}
