// Which agent the settings name. The only place that knows them all.
import type { Config } from '../config/schema.ts';
import type { Agent } from './agent.ts';
import { claudeAgent } from './claude.ts';
import { scriptAgent } from './script.ts';

/** What an agent must know of its surroundings. */
export type Surroundings = Readonly<{
  /** Another login than the API key exists on this machine. */
  otherLogin: boolean;
}>;

/** The agent of a configuration; the configuration has seen to it that a script has its command. */
export function shippedAgent(config: Pick<Config, 'agent' | 'clocks'>, { otherLogin }: Surroundings): Agent {
  const { agent, clocks } = config;
  switch (agent.name) {
    case 'claude': {
      const given = { silenceMs: clocks.silence, apiMs: clocks.api, toolMs: clocks.tool };
      return claudeAgent({ ...agent.claude, otherLogin, clocks: given });
    }
    case 'script':
      return scriptAgent({ command: agent.script.command ?? '', args: agent.script.args });
  }
}
