// What pawl must know of the agents that speak ACP beside their sessions: mostly what their row in entries.ts says.
import type { AcpName } from '../../config/agent-name.ts';
import { Failure } from '../../failure.ts';
import type { Adapter } from '../adapter.ts';
import { acpAgent } from './acp.ts';
import { acpEntries } from './entries.ts';

/** An adapter for each of them. */
export const acpAdapters = Object.fromEntries(
  (Object.keys(acpEntries) as AcpName[]).map((name) => [name, adapterFor(name)]),
) as Readonly<Record<AcpName, Adapter>>;

function adapterFor(name: AcpName): Adapter {
  const { npmPackage, variables, hosts, access } = acpEntries[name];
  return {
    ...(npmPackage === undefined ? {} : { npmPackage }),
    variables,
    make: ({ agent }) => {
      const { command, ...settings } = agent[name];
      if (command === undefined)
        throw new Failure('config', `the agent ${name} needs its program`, {
          hint: `Set agent.${name}.command, and agent.${name}.args if it needs some to speak ACP.`,
        });
      return acpAgent(name, { command, ...settings });
    },
    apiHosts: () => hosts.map((host) => ({ host, isConfigured: false })),
    billingOf: () => `the account ${name === 'acp' ? 'its program' : name} is logged in with`,
    permissionsOf: ({ agent }) => {
      const { mode } = agent[name];
      return mode === undefined ? access : `mode ${mode}; each question is answered with yes, once`;
    },
  };
}
