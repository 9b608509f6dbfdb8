// What can be tried of the agents that work or review without a token: that their own sandbox runs a command.
import { adapterOf } from '../../agent/agents.ts';
import { type AgentName, agentNames } from '../../config/agent-name.ts';
import type { Config } from '../../config/schema.ts';
import { readStages } from '../../config/stages.ts';
import { type Entry, type Eyes, type Found, makeEntry } from './entry.ts';

/** An entry for each agent that can be tried. */
export const trialEntries: readonly Entry[] = agentNames
  .filter((name) => adapterOf(name).trialsOf !== undefined)
  .map((name) =>
    makeEntry(
      name,
      (eyes) => tryOut(name, eyes),
      (found) => found,
    ),
  );

async function tryOut(name: AgentName, { config, has, run }: Eyes): Promise<Found | undefined> {
  const { command = '', args } = config.agent[name];
  // In a container it is another machine's.
  if (config.sandbox.kind === 'docker' || !has(command)) return undefined;
  let found: Found | undefined;
  for (const { args: tried, judge } of adapterOf(name).trialsOf?.(config, {
    reviews: doesReview(name, config),
  }) ?? []) {
    found = judge(await run(command, [...args, ...tried]));
    if (found.state !== 'ok') break;
  }
  return found;
}

function doesReview(name: AgentName, { review }: Config): boolean {
  return readStages(review.stages).some((stage) => stage.agent === name);
}
