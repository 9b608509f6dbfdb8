// Why no session of an agent can work here: its permissions or hooks. Pure.
import type { AgentCommand } from '../agent.ts';
import { oneLine } from '../json-value.ts';
import type { CannotWork } from './outcome.ts';
import type { TurnTranscript } from './turn-transcript.ts';

type Said = Pick<TurnTranscript, 'permissions' | 'denied' | 'used' | 'spoke' | 'last'>;

/** It started otherwise than told; known before the model is asked. */
export function findOtherMode(
  { permissions: asked }: Pick<AgentCommand, 'permissions'>,
  { permissions: reported }: Pick<Said, 'permissions'>,
): CannotWork | undefined {
  if (asked === undefined || reported === undefined || reported === asked) return undefined;
  return {
    reason: `the CLI works in its permission mode ${reported}, not in ${asked} as it was told`,
    remedies: [
      'look in its settings, the project’s and the organization’s for what forbids that (permissions.disableBypassPermissionsMode)',
      'or have it work with less: --set agent.claude.permissions=acceptEdits, with what it needs in permissions.allow of .claude/settings.json',
    ],
  };
}

export function findCannotWork(
  command: Pick<AgentCommand, 'permissions'>,
  said: Said,
): CannotWork | undefined {
  const mode = findOtherMode(command, said);
  if (mode) return mode;
  const { last, spoke, denied, used } = said;
  if (last?.unasked && !last.isError && !spoke)
    return {
      reason: `the CLI ended the turn without asking the model: ${oneLine(last.text, 200) || 'it does not say why'}`,
      remedies: ['see which hook refuses prompts (UserPromptSubmit in its settings)'],
    };
  if (denied.size > 0 && !used)
    return {
      reason: `the CLI denied every tool that the agent wanted: ${[...denied].join(', ')}`,
      remedies: ['allow them in permissions.allow of .claude/settings.json, or see which hook denies them'],
    };
  return undefined;
}
