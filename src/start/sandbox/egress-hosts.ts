// The hosts a run's sandbox may reach: its agents' APIs, and the user's list.
import { adapterOf, isAgentVariable } from '../../agent/agents.ts';
import { agentNamesOf } from '../../agent-name.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { type Egress, makeEgress } from '../../sandbox/egress.ts';
import { passthroughEnvironment } from '../../sandbox/env-passthrough.ts';

export interface Reach {
  readonly egress: Egress;
  /** Of the agents' models, and the user's own. */
  readonly hosts: readonly string[];
  /** On this machine's loopback, for models of any agent. */
  readonly ports: readonly number[];
  /** For an agent's start; returns what is new. */
  admit(agent: string): readonly string[];
}

export function reachOf(place: Pick<Place, 'env'> & Readonly<{ run: Pick<Run, 'config'> }>): Reach {
  const { config } = place.run;
  const { egress: mode, allow, env: wanted } = config.sandbox;
  const env = passthroughEnvironment(place.env, wanted, isAgentVariable);
  const apisOf = (names: Iterable<string>) =>
    [...names].flatMap((name) =>
      adapterOf(config, name).apiHosts({ ...env, ...config.agent.logins[name]?.env }),
    );
  const known = new Set([config.agent.name]);
  let egress = makeEgress({ mode, allow, apis: apisOf(known) });
  const hosts = () => [...new Set([...apisOf(known).map(({ host }) => host), ...allow])];
  return {
    get egress() {
      return egress;
    },
    get hosts() {
      return hosts();
    },
    ports: makeEgress({ mode, allow, apis: apisOf(agentNamesOf(config)) }).loopbackPorts,
    admit: (agent) => {
      const before = new Set(hosts());
      known.add(agent);
      egress = makeEgress({ mode, allow, apis: apisOf(known) });
      return hosts().filter((host) => !before.has(host));
    },
  };
}

/** Who asks for an agent is about to start it. */
export function admitting(
  { agentNamed, emit }: Pick<Run, 'agentNamed' | 'emit'>,
  reach: Reach,
): Run['agentNamed'] {
  return (name, script) => {
    const agent = agentNamed(name, script);
    const added = reach.admit(agent.name);
    if (added.length > 0) {
      const text = `for the agent ${agent.name} the sandbox reaches ${added.join(', ')} too`;
      emit({ type: 'noticed', code: 'sandbox', text });
    }
    return agent;
  };
}
