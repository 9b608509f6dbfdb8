// Words what a start works with: the agent and what it may do, whether the repository is trusted, who pays. A later start
// of the run tells only what is not as it was.
import type { Ground } from '../event/run.ts';
import { wordCommand } from './figure.ts';
import { type Line, labelled } from './line.ts';
import { isApiEquivalent } from './wording-budget.ts';

/** The lines of a ground; of one that follows `before` those that are others then. */
export function wordGround(ground: Ground, before?: Ground): readonly Line[] {
  const known = new Set(before ? wordGround(before).map(({ text }) => text) : []);
  return [
    wordAgent(ground),
    ...wordMay(ground),
    wordTrust(ground.trusted),
    wordBilling(ground.billing),
  ].filter(({ text }) => !known.has(text));
}

function wordAgent({ agent, agentCommand, scripted, model }: Ground): Line {
  const command = agentCommand === agent ? '' : ` (${wordCommand(agentCommand)})`;
  const player = scripted ? ', played by a script: no model' : '';
  return labelled(
    'plain',
    'agent',
    `${agent}${command}${player}${model === undefined ? '' : `, model ${model}`}`,
  );
}

/** Walls hold whatever the agent permits itself; without them its permissions are all there is. */
function wordMay({ permissions, sandbox }: Ground): readonly Line[] {
  if (permissions === undefined) return [];
  const isOpen = permissions === 'bypass' && sandbox === undefined;
  const reach = wordReach(permissions, sandbox);
  return [labelled(isOpen ? 'warn' : 'plain', 'may', `${reach} (permissions: ${permissions})`)];
}

function wordReach(permissions: string, sandbox: Ground['sandbox']): string {
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

function wordTrust(trusted: boolean): Line {
  return labelled(
    trusted ? 'plain' : 'warn',
    'config',
    trusted
      ? 'the repository is trusted: its own agent config is loaded'
      : 'the repository is not trusted: its own agent config is kept out',
  );
}

function wordBilling(billing: string): Line {
  const text = isApiEquivalent(billing) ? `${billing}; costs below are API-equivalent` : billing;
  return labelled('plain', 'billing', text);
}
