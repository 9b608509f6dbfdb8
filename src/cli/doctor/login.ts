// Checks who pays for the agent and whether it may run as this user, through its adapter. Spends no tokens.
import { adapterOf } from '../../agent/agents.ts';
import { agentLocationOf } from '../../start/agent-location.ts';
import { isScripted, scriptedBilling } from '../../start/scripted-agent.ts';
import { type Entry, type Eyes, type Found, makeEntry, ok } from './entry.ts';

/** Entries about what the agent is given. */
export const loginEntries: readonly Entry[] = [
  makeEntry('login', lookLogin, (found) => found),
  makeEntry('permissions', lookPermissions, (found) => found),
];

function lookLogin({ config, context }: Eyes): Found | undefined {
  if (isScripted(config)) return ok(scriptedBilling);
  return adapterOf(config.agent.name).examineLogin?.(config, agentLocationOf(context, config));
}

function lookPermissions({ config, context }: Eyes): Found | undefined {
  return adapterOf(config.agent.name).examinePermissions?.(config, agentLocationOf(context, config));
}
