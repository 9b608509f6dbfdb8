// Tasks without boxes, in one note if none has any.
import { ruleOf } from './rule.ts';

export const taskWithoutSteps = ruleOf('task-without-steps', 'warning', ({ tasks }) => {
  const without = tasks.filter(({ steps }) => steps.some(({ implicit, manual }) => implicit && !manual));
  const so = 'so its title is its one step, and pawl writes a ticked box below the heading when it is done';
  const [first] = without;
  if (first && without.length > 1 && without.length === tasks.length) {
    const all = so.replace('its title', 'the title of each');
    return [{ message: `none of the ${tasks.length} tasks has boxes, ${all}`, place: first.place }];
  }
  return without.map(({ id, place }) => ({ message: `task ${id} has no boxes, ${so}`, place }));
});
