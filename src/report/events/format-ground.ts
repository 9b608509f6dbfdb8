// Formats what a start works with: agent, permissions, trust, who pays.
import type { GroundFields } from '../../event/ground.ts';
import { formatCommand } from '../text/figure.ts';
import { type Line, labelled } from '../text/line.ts';
import { isApiEquivalent } from '../text/run-words.ts';

/** Only lines that differ from `before`, if given. */
export function formatGround(ground: GroundFields, before?: GroundFields): readonly Line[] {
  const known = new Set(before ? formatGround(before).map(({ text }) => text) : []);
  return [
    formatAgent(ground),
    ...formatMay(ground),
    ...formatReadOnly(ground),
    ...formatJobs(ground),
    formatTrust(ground.trusted),
    formatBilling(ground.billing),
  ].filter(({ text }) => !known.has(text));
}

function formatAgent({ agent, agentCommand, scripted, model }: GroundFields): Line {
  const command = agentCommand === agent ? '' : ` (${formatCommand(agentCommand)})`;
  const name = scripted ? `a script that plays ${agent}; no model runs` : `${agent}${command}`;
  return labelled('plain', 'agent', `${name}${model === undefined ? '' : `, model ${model}`}`);
}

/** Without a sandbox, the agent's permissions are the only limit. */
function formatMay({ permissions, sandbox }: GroundFields): readonly Line[] {
  if (permissions === undefined) return [];
  const isOpen = permissions === 'bypass' && sandbox === undefined;
  const reach = formatReach(permissions, sandbox);
  return [labelled(isOpen ? 'warn' : 'plain', 'access', `${reach} (permissions: ${permissions})`)];
}

function formatReach(permissions: string, sandbox: GroundFields['sandbox']): string {
  switch (permissions) {
    case 'bypass':
      return `every file, program and host ${sandbox ? 'in its sandbox' : 'this user can reach'}`;
    case 'acceptEdits':
      return 'edits files, and runs what its settings allow';
    case 'dontAsk':
      return 'only what its own settings allow';
    default:
      return permissions;
  }
}

function formatReadOnly({ readOnly }: GroundFields): readonly Line[] {
  if (readOnly === undefined) return [];
  const text = readOnly
    ? 'reviewers and planners see this tree read-only (bubblewrap)'
    : 'what reviewers and planners change in this tree is put back';
  return [labelled('plain', 'reviews', text)];
}

function formatJobs({ jobs }: GroundFields): readonly Line[] {
  return jobs === undefined
    ? []
    : [labelled('plain', 'lanes', `up to ${jobs} tasks at once, each in its own checkout`)];
}

function formatTrust(trusted: boolean): Line {
  return labelled(
    trusted ? 'plain' : 'warn',
    'config',
    trusted
      ? 'the repository is trusted: its agent configuration is loaded'
      : 'the repository is not trusted: its agent configuration is ignored',
  );
}

function formatBilling(billing: string): Line {
  const text = isApiEquivalent(billing) ? `${billing}; costs below are what the API would charge` : billing;
  return labelled('plain', 'billing', text);
}
