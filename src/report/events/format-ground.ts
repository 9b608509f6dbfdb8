// Words what a start works with: the agent and what it may do, whether the repository is trusted, who pays. A later start
// of the run tells only what is not as it was.
import type { Ground } from '../../event/run.ts';
import { formatCommand } from '../text/figure.ts';
import { type Line, labelled } from '../text/line.ts';
import { isApiEquivalent } from './format-budget.ts';

/** The lines of a ground; of one that follows `before` those that are others then. */
export function formatGround(ground: Ground, before?: Ground): readonly Line[] {
  const known = new Set(before ? formatGround(before).map(({ text }) => text) : []);
  return [
    formatAgent(ground),
    ...formatMay(ground),
    formatTrust(ground.trusted),
    formatBilling(ground.billing),
  ].filter(({ text }) => !known.has(text));
}

function formatAgent({ agent, agentCommand, scripted, model }: Ground): Line {
  const command = agentCommand === agent ? '' : ` (${formatCommand(agentCommand)})`;
  const player = scripted ? ', played by a script: no model' : '';
  return labelled(
    'plain',
    'agent',
    `${agent}${command}${player}${model === undefined ? '' : `, model ${model}`}`,
  );
}

/** Walls hold whatever the agent permits itself; without them its permissions are all there is. */
function formatMay({ permissions, sandbox }: Ground): readonly Line[] {
  if (permissions === undefined) return [];
  const isOpen = permissions === 'bypass' && sandbox === undefined;
  const reach = formatReach(permissions, sandbox);
  return [labelled(isOpen ? 'warn' : 'plain', 'may', `${reach} (permissions: ${permissions})`)];
}

function formatReach(permissions: string, sandbox: Ground['sandbox']): string {
  switch (permissions) {
    case 'bypass':
      return `any file, program or host that ${sandbox ? 'its sandbox has' : 'this user can'}`;
    case 'acceptEdits':
      return 'edit files, run what its settings allow';
    case 'dontAsk':
      return 'only what its own settings allow';
    default:
      return permissions;
  }
}

function formatTrust(trusted: boolean): Line {
  return labelled(
    trusted ? 'plain' : 'warn',
    'config',
    trusted
      ? 'the repository is trusted: its own agent config is loaded'
      : 'the repository is not trusted: its own agent config is kept out',
  );
}

function formatBilling(billing: string): Line {
  const text = isApiEquivalent(billing) ? `${billing}; costs below are API-equivalent` : billing;
  return labelled('plain', 'billing', text);
}
