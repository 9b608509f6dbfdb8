// Ids a task waits for that the plan does not have.
import { nearest } from '../../nearest.ts';
import { ruleOf } from './rule.ts';

export const unknownDepends = ruleOf('unknown-depends', 'error', (plan) => {
  const ids = plan.tasks.map(({ id }) => id);
  const known = new Set(ids);
  return plan.tasks.flatMap(({ id, depends = [], dependsPlace, place }) =>
    depends
      .filter((other) => !known.has(other))
      .map((other) => {
        const meant = nearest(other, ids);
        const help = meant ? `did you mean ${meant}?` : `the plan has ${ids.join(', ')}`;
        const message = `task ${id} depends on task ${other}, which the plan does not have: ${help}`;
        return { message, place: dependsPlace ?? place };
      }),
  );
});
