// What pawl knows about agents that speak ACP outside their sessions.

import type { AcpName } from '../../agent-name.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type Adapter, type Diagnosis, hostsBy, type Whereabouts } from '../adapter.ts';
import { acpAgent } from './acp.ts';
import { acpEntries } from './entries.ts';

export const acpAdapters = Object.fromEntries(
  (Object.keys(acpEntries) as AcpName[]).map((name) => [name, adapterFor(name)]),
) as Readonly<Record<AcpName, Adapter>>;

function adapterFor(name: AcpName): Adapter {
  const { npmPackage, variables, takesAnyKey, hosts, baseUrl, access, obeys } = acpEntries[name];
  return {
    ...defined({ npmPackage, obeys }),
    variables,
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
