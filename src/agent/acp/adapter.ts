// Agents that speak ACP on stdio: how they are started, and what pawl knows about them outside their sessions.
import type { AcpName } from '../../agent-name.ts';
import type { ProgramSettings } from '../../config/agent-settings.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type Adapter, type Diagnosis, hostsBy, type Whereabouts } from '../adapter.ts';
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { AcpConversation } from './conversation.ts';
import { type AcpEntry, acpEntries } from './entries.ts';

export const acpAdapters = Object.fromEntries(
  (Object.keys(acpEntries) as AcpName[]).map((name) => [name, adapterFor(name)]),
) as Readonly<Record<AcpName, Adapter>>;

function adapterFor(name: AcpName): Adapter {
  const { npmPackage, variables, takesAnyKey, hosts, baseUrl, access, obeys } = acpEntries[name];
  return {
    ...defined({ npmPackage, obeys, uses: takesAnyKey && (() => true) }),
    variables,
    alwaysObeys: true,
    make: ({ agent }) => {
      const { command, ...settings } = agent[name];
      if (command === undefined)
        throw new Failure('config', `the agent ${name} needs its program`, {
          hint: `Set it: agents: { ${name}: { command: …, args: […] } }, with the arguments that it needs to speak ACP.`,
        });
      return acpAgent(name, { command, ...settings });
    },
    apiHosts: (env) => hostsBy(baseUrl && env[baseUrl], hosts),
    billingOf: () => `the account ${name === 'acp' ? 'its program' : name} is logged in with`,
    examineLogin: (_, where) => judgeLogin(takesAnyKey ? /./ : variables, where),
    permissionsOf: ({ agent }) => {
      const { mode } = agent[name];
      return mode === undefined ? access : `mode ${mode}; each question is answered with yes, once`;
    },
  };
}

/** In sight of the agent's home nothing is judged: each keeps its login in its own way. */
function judgeLogin(own: RegExp, { env, isInside }: Whereabouts): Diagnosis | undefined {
  const hasKey = Object.entries(env).some(([name, value]) => value && isLogin.test(name) && own.test(name));
  if (!isInside || hasKey) return undefined;
  return {
    state: 'warn',
    says: 'no key in a variable, and of its settings and login in your home nothing is seen in a sandbox',
    remedy: 'Set its key as a variable, or show it its files inside: sandbox.mounts.',
  };
}

const isLogin = /_(API_KEY|TOKEN)$/;

export type AcpSettings = ProgramSettings & Readonly<{ command: string }>;

export function acpAgent(name: AcpName, settings: AcpSettings): Agent {
  const entry = acpEntries[name];
  return {
    name,
    can: {
      usage: entry.counts ?? false,
      // Some compute it from prices that may be missing: no budget could rely on it.
      cost: false,
      schema: false,
      followUp: true,
      plainAnswer: false,
      resume: entry.resume !== undefined,
    },
    silentAtLimit: entry.silentAtLimit,
    firstEventHint: 'see whether the program speaks ACP on stdio, and needs other arguments for that',
    command: (request) => command(entry, settings, request),
    open: (opening) => new AcpConversation(opening, entry, settings),
  };
}

function command(entry: AcpEntry, settings: AcpSettings, request: AgentRequest): AgentCommand {
  const model = request.model ?? settings.model;
  const named = entry.modelFlag !== undefined && model !== undefined ? [entry.modelFlag, model] : [];
  return {
    file: settings.command,
    args: [...settings.args, ...entry.args, ...named],
    env: defined({ ...entry.env, ...settings.env }),
  };
}
