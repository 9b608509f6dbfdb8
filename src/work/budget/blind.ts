// Finds a cap that cannot be enforced because the agent does not report the figures it counts. Pure.
import type { Agent } from '../../agent/agent.ts';
import { budgetKeys } from '../../config/merge.ts';
import type { Cap, Caps } from '../../event/caps.ts';

/** The first cap that could be exceeded unnoticed, in words; undefined if all can be enforced. */
export function findBlind(
  { name, can }: Pick<Agent, 'name' | 'can'>,
  { settings, asked }: Caps,
): Readonly<{ reason: string }> | undefined {
  const cap = [...settings, ...asked].find((one) => isBlindTo(can, one));
  if (!cap) return undefined;
  const unit = cap.budget === 'tokens' ? 'how many tokens it uses' : 'what it costs';
  const what = `${budgetKeys[cap.budget]} (${cap.from})`;
  return { reason: `${what} cannot be enforced: the agent ${name} does not report ${unit}` };
}

function isBlindTo(can: Agent['can'], { budget }: Cap): boolean {
  switch (budget) {
    case 'cost':
    case 'day':
      return !can.cost;
    case 'tokens':
      return !can.usage;
    case 'time':
    case 'sessions':
      return false;
  }
}
