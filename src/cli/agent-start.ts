// Whether the agent can be started at all, known before a run touches anything. It starts nothing.
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { findStartError } from '../process/program.ts';
import type { CliContext } from './context.ts';

/** What keeps the configured agent from starting; undefined when nothing does. */
export function judgeAgentStart(context: CliContext, { agent }: Config): Failure | undefined {
  const command = agent.name === 'claude' ? agent.claude.command : (agent.script.command ?? '');
  if (findStartError(command, context.cwd, context.env['PATH']) !== undefined) {
    const install = agent.name === 'claude' ? 'npm install --global @anthropic-ai/claude-code, or ' : '';
    return new Failure('agent-refused', `the agent’s program ${command} was not found`, {
      hint: `${install}name another: agent.${agent.name}.command`,
    });
  }
  if (agent.name !== 'claude' || agent.claude.permissions !== 'bypass' || context.uid !== 0) return undefined;
  if (context.env['IS_SANDBOX'] === '1' || context.env['CLAUDE_CODE_BUBBLEWRAP'] === '1') return undefined;
  return new Failure(
    'preflight',
    'Claude Code refuses to work without asking (permissions: bypass) as root',
    {
      hint: [
        'Run pawl as another user,',
        'or let the agent ask and be denied: --set agent.claude.permissions=acceptEdits,',
        'or set IS_SANDBOX=1 yourself, if this machine is a sandbox.',
      ].join('\n'),
    },
  );
}
