// Checks of open tasks that are green before the work.
import { isClosed } from '../plan.ts';
import { ruleOf } from './rule.ts';

export const vacuousCheck = ruleOf('vacuous-check', 'warning', ({ tasks }, { green = new Set() }) =>
  tasks
    .filter((task) => !isClosed(task))
    .flatMap(({ checks }) => checks)
    .filter(({ id }) => green.has(id))
    .map(({ command, place }) => ({
      message: `\`${command}\` is green before the work, so it proves nothing: choose one that is red until the task is done`,
      place,
    })),
);
