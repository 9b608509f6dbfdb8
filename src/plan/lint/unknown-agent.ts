// Agents of tasks that pawl does not have.
import { ruleOf } from './rule.ts';

export const unknownAgent = ruleOf('attribute-value', 'error', ({ tasks }, { agents }) =>
  tasks
    .filter(({ agent }) => agent !== undefined && agents && !agents.includes(agent))
    .map(({ agent, place }) => ({
      message: `\`agent: ${agent}\` is not an agent: write one of ${agents?.join(', ')}`,
      place,
    })),
);
