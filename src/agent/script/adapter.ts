// What pawl knows about a user's own agent program. Any agent's variables may be for it.
import { Failure } from '../../failure.ts';
import { type Adapter, hostsBy } from '../adapter.ts';
import { scriptAgent } from './script.ts';

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
