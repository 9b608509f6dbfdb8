// Whether the agent can be started at all, known before a run touches anything. It starts nothing.
import { installerOf, programOf } from '../agent/agents.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { findStartError } from '../process/program.ts';
import type { CliContext } from './context.ts';

/** What keeps the configured agent from starting; undefined when nothing does. */
export function judgeAgentStart(context: CliContext, config: Config): Failure | undefined {
  const { agent } = config;
  const command = programOf(config);
  if (findStartError(command, context.cwd, context.env['PATH']) !== undefined) {
    const install = installerOf(agent.name);
    const first = install === undefined ? '' : `${install}, or `;
    return new Failure('agent-refused', `the agent’s program ${command} was not found`, {
      hint: `${first}name another: agent.${agent.name}.command`,
    });
  }
  if (agent.name !== 'claude' || agent.claude.permissions !== 'bypass' || context.uid !== 0) return undefined;
  if (context.env['IS_SANDBOX'] === '1' || context.env['CLAUDE_CODE_BUBBLEWRAP'] === '1') return undefined;
  return new Failure(
    'preflight',
    'Claude Code refuses to work without asking (permissions: bypass) as root',
    {
      hint: [
        'Run pawl as another user, or agents in a container: --sandbox docker,',
        'or let the agent ask and be denied: --set agent.claude.permissions=acceptEdits,',
        'or set IS_SANDBOX=1 yourself, if this machine is a sandbox.',
      ].join('\n'),
    },
  );
}
