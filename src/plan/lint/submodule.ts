// Open tasks that name a submodule: no commit of a run's contains their changes to it.
import { isClosed, type Task, wordsOf } from '../plan.ts';
import { ruleOf } from './rule.ts';

export const submodule = ruleOf('submodule', 'warning', (plan, { submodules = [] }) =>
  plan.tasks
    .filter((task) => !isClosed(task))
    .flatMap((task) =>
      submodules
        .filter((folder) => names(task, folder))
        .map((folder) => ({
          message: `task ${task.id} names ${folder}, a submodule: pawl commits neither another commit of it nor files in it; if the task should change it, do that by hand and remove it from the plan`,
          place: task.place,
        })),
    ),
);

function names(task: Task, folder: string): boolean {
  const quoted = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const asPath = new RegExp(`(?<![\\w./-])(?:\\./)?${quoted}(?![\\w-])`);
  return [wordsOf(task), ...task.files].some((text) => asPath.test(text));
}
