// Which agent the settings name. The only place that knows them all.
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import type { Agent } from './agent.ts';
import { claudeAgent } from './claude/claude.ts';
import { codexAgent } from './codex/codex.ts';
import { scriptAgent } from './script/script.ts';

/** What an agent must know of its surroundings. */
export type Surroundings = Readonly<{
  /** Another login than the API key exists on this machine. */
  otherLogin: boolean;
}>;

/** The program the configured agent is started by; empty for a script without one. */
export function programOf({ agent }: Pick<Config, 'agent'>): string {
  return agent[agent.name].command ?? '';
}

/** The command that installs the shipped program of an agent; undefined for a script, which is the user's own. */
export function installerOf(name: Config['agent']['name']): string | undefined {
  const npmPackage = { claude: '@anthropic-ai/claude-code', codex: '@openai/codex', script: undefined }[name];
  return npmPackage && `npm install --global ${npmPackage}`;
}

/** The agent of that name, by default the configured one. `script`: the program of a script, by default the configured one. An unknown name, or a script without its program, is Failure('config'). */
export function shippedAgent(
  config: Pick<Config, 'agent' | 'clocks'>,
  { otherLogin }: Surroundings,
  name: string = config.agent.name,
  script: string | undefined = config.agent.script.command,
): Agent {
  const { agent, clocks } = config;
  switch (name) {
    case 'claude': {
      const given = { silenceMs: clocks.silence, apiMs: clocks.api, toolMs: clocks.tool };
      return claudeAgent({ ...agent.claude, otherLogin, clocks: given });
    }
    case 'codex':
      return codexAgent(agent.codex);
    case 'script':
      if (script === undefined)
        throw new Failure('config', 'the agent script needs its program', {
          hint: 'Set agent.script.command.',
        });
      // What another script prints is not said by the settings of the one that works.
      return script === agent.script.command
        ? scriptAgent({ ...agent.script, command: script })
        : scriptAgent({ command: script, args: [], reportsCost: false });
    default:
      throw new Failure('config', `there is no agent ${name}`, {
        hint: 'There are claude, codex and script.',
      });
  }
}
