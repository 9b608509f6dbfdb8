// The hosts a run's sandbox may reach: the APIs of every agent the run may start, and the user's list. An agent known only
// later, such as one named in a changed plan, is added when it starts.
import { existsSync } from 'node:fs';
import { adapterOf, isAgentVariable } from '../../agent/agents.ts';
import { type AgentName, agentNames } from '../../config/agent-name.ts';
import { readStages } from '../../config/stages.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { readPlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Task } from '../../plan/plan.ts';
import { type Egress, makeEgress } from '../../sandbox/egress.ts';
import { passthroughEnvironment } from '../../sandbox/env-passthrough.ts';

export interface Reach {
  readonly egress: Egress;
  /** The agents' models and the user's own hosts. */
  readonly hosts: readonly string[];
  /** Ports of this machine's loopback where any agent's model may listen. */
  readonly ports: readonly number[];
  /** An agent is about to start: allows what it must reach from now on; returns what is new. */
  admit(agent: AgentName): readonly string[];
}

export function reachOf(
  place: Pick<Place, 'env' | 'plan'> & Readonly<{ run: Pick<Run, 'config' | 'options'> }>,
): Reach {
  const { egress: mode, allow, env: wanted } = place.run.config.sandbox;
  const env = passthroughEnvironment(place.env, wanted, isAgentVariable);
  const apisOf = (names: Iterable<AgentName>) => [...names].flatMap((name) => adapterOf(name).apiHosts(env));
  const known = new Set(agentsOf(place));
  let egress = makeEgress({ mode, allow, apis: apisOf(known) });
  const hosts = () => [...new Set([...apisOf(known).map(({ host }) => host), ...allow])];
  return {
    get egress() {
      return egress;
    },
    get hosts() {
      return hosts();
    },
    ports: makeEgress({ mode, allow, apis: apisOf(agentNames) }).loopbackPorts,
    admit: (agent) => {
      const before = new Set(hosts());
      known.add(agent);
      egress = makeEgress({ mode, allow, apis: apisOf(known) });
      return hosts().filter((host) => !before.has(host));
    },
  };
}

/** The run's agents by name; whoever asks for one is about to start it, so its model becomes reachable. */
export function admitting(
  { agentNamed, emit }: Pick<Run, 'agentNamed' | 'emit'>,
  reach: Reach,
): Run['agentNamed'] {
  return (name, script) => {
    const agent = agentNamed(name, script);
    const known = agentNames.find((each) => each === agent.name);
    const added = known === undefined ? [] : reach.admit(known);
    if (added.length > 0) {
      const text = `for the agent ${agent.name} the sandbox reaches ${added.join(', ')} too`;
      emit({ type: 'noticed', code: 'sandbox', text });
    }
    return agent;
  };
}

/** The agents in the settings, the review's stages and the plan's tasks. */
function agentsOf({
  run: { config, options },
  plan,
}: Pick<Place, 'plan'> & Readonly<{ run: Pick<Run, 'config' | 'options'> }>): readonly AgentName[] {
  const stages = options.review?.stages ?? readStages(config.review.stages);
  const named = [
    ...stages.flatMap(({ agent, script }) => (script === undefined ? (agent ?? []) : 'script')),
    ...tasksOf(plan).flatMap(({ agent }) => agent ?? []),
  ];
  return [config.agent.name, ...agentNames.filter((name) => named.includes(name))];
}

/** The tasks in the run's plan file as it is now; none if there is no file yet. */
export function tasksOf({ file }: Pick<Place['plan'], 'file'>): readonly Task[] {
  return existsSync(file) ? parsePlan(readPlanFile(file).text, file).tasks : [];
}
