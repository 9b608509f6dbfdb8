// Why no two tasks of a plan can be worked on at once, in a sentence, with what to add to it.
import { defined } from '../../defined.ts';
import { isChain, isClosed, type Plan } from '../plan.ts';
import type { Choice } from './choose-tasks.ts';
import { findRivals, type Rivals } from './rivals.ts';
import { scheduleTasks } from './schedule.ts';

/** Why; undefined if some tasks can be worked on at once, or fewer than two are open. */
export function explainNoWidth(plan: Plan, { aloneFor }: Pick<Choice, 'aloneFor'> = {}): string | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const alone = defined({ aloneFor });
  if (open.length < 2 || scheduleTasks(plan, { ...alone, jobs: open.length }).widest > 1) return undefined;
  return whyNone(plan, findRivals(plan, { ...alone, most: 1 })[0]);
}

function whyNone(plan: Plan, rivals: Rivals | undefined): string {
  if (rivals) return `${formatRivals(rivals)}: ${remedyOf(rivals)}`;
  if (!isChain(plan))
    return 'by its `depends:` each task waits for the one before it: name only what it needs';
  const where = { tasks: 'in each task', sections: 'below each heading', list: 'below each item' }[
    plan.format
  ];
  const marks = plan.format === 'list' ? ', or `[P]` for what none of its neighbours needs' : '';
  return `no \`depends:\` says what a task needs, so each waits for the one before it. Write ${where} \`- depends: 1, 2\` with what it needs, or \`- depends: none\`${marks}, and \`- files:\` with what it changes`;
}

function remedyOf(rivals: Rivals): string {
  if ('globs' in rivals) return 'let each task change its own files';
  return rivals.alone.exclusive ? 'remove that if it is not needed' : 'leave that file to a separate task';
}

/** Why two tasks are never worked on at once: `tasks 2 and 5 both change src/a.ts`. */
export function formatRivals(rivals: Rivals): string {
  if ('globs' in rivals) return `tasks ${rivals.one.id} and ${rivals.other.id} ${formatGlobs(rivals.globs)}`;
  const { alone, file } = rivals;
  return file === undefined
    ? `task ${alone.id} says \`exclusive: true\``
    : `task ${alone.id} may change \`${file}\`, on which the checks depend, so it must be alone`;
}

function formatGlobs([one, other]: readonly [string, string]): string {
  return one === other
    ? `both change \`${one}\``
    : `change \`${one}\` and \`${other}\`, which can mean one file`;
}
