// Any executable as an agent: the prompt is its stdin and, as a file, its last argument. It prints Claude Code's
// stream-json or plain text, which is its answer if it exits with 0. Any agent's variables may be for it.
import type { Config } from '../../config/schema.ts';
import type { AgentEvent } from '../../event/activity.ts';
import { Failure } from '../../failure.ts';
import { type Adapter, hostsBy } from '../adapter.ts';
import type { Agent } from '../agent.ts';
import { readClaude } from '../claude/read-line.ts';

export const scriptAdapter: Adapter = {
  make: ({ agent }, { script = agent.script.command }) => {
    if (script === undefined)
      throw new Failure('config', 'the agent script needs its program', {
        hint: 'Set agent.script.command.',
      });
    // The configured script's settings say nothing about another.
    return script === agent.script.command
      ? scriptAgent({ ...agent.script, command: script })
      : scriptAgent({ command: script, args: [], reportsCost: false });
  },
  apiHosts: (env) => [...hostsBy(env['ANTHROPIC_BASE_URL'], []), ...hostsBy(env['OPENAI_BASE_URL'], [])],
  billingOf: () => 'as the script sees fit',
};

type ScriptSettings = Readonly<Config['agent']['script'] & { command: string }>;

export function scriptAgent(settings: ScriptSettings): Agent {
  return {
    name: 'script',
    can: {
      usage: settings.reportsCost,
      cost: settings.reportsCost,
      schema: false,
      followUp: false,
      plainAnswer: true,
      resume: false,
    },
    command: (request) => ({
      file: settings.command,
      args: [...settings.args, request.promptFile],
      env: {
        PAWL_MODEL: request.model,
        PAWL_EFFORT: request.effort,
      },
    }),
    open: () => ({
      read: (line) => ({ events: readLine(line) }),
      write: (message) => (message.type === 'prompt' ? `${message.text}\n` : undefined),
    }),
  };
}

const lineLimit = 100_000;

/** Plain text stays unchanged: it may be the answer. */
function readLine(line: string): readonly AgentEvent[] {
  const events = readClaude(line);
  return events[0]?.type === 'noise' ? [{ type: 'noise', text: line.slice(0, lineLimit) }] : events;
}
