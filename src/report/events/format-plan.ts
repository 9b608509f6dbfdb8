// Formats what a run is, and what happens to the plan file. The header of a terminal has more.
import { isDeepStrictEqual } from 'node:util';
import { capsInForce } from '../../event/caps.ts';
import type { GroundFields } from '../../event/ground.ts';
import type { FactOf } from '../../event.ts';
import { formatCaps, formatReached } from '../text/amount.ts';
import { formatCount } from '../text/figure.ts';
import { line } from '../text/line.ts';
import type { Formats } from './formats.ts';
import { nameRunFile } from './render-context.ts';

export const planFormats = {
  'run-started': ({ title, branch, ...ground }) => [
    line('head', title),
    line('plain', `${branch === '' ? 'no branch' : `branch ${branch}`}, ${formatAgent(ground)}`, 1),
  ],
  'plan-read': (fact, _how, { state }) =>
    state?.plan && isChanged(state.plan, fact)
      ? [line('plain', `The plan has changed: ${formatCount(fact.tasks.length, 'task')}`)]
      : [],
  'branch-created': () => [],
  'plan-committed': () => [],
  'plan-edit-set-aside': (fact, { runs }, context) => [
    line('warn', `Plan edit ${fact.number} was set aside and the plan restored: ${fact.detail}`),
    line(
      'dim',
      `it is in ${nameRunFile(context, fact.file, runs)}; to take it, copy it over the plan while the run is paused or stopped`,
      1,
    ),
  ],
  'plan-archived': ({ state, to }) => (state === 'done' ? [line('plain', `Plan moved to ${to}`)] : []),
  'budgets-set': (fact, _how, { state }) => {
    const words = formatCaps(capsInForce(fact));
    // Emitted again at every start: a reader wants only what is new.
    const isTold = state === undefined || formatCaps(capsInForce(state.caps)) === words;
    return isTold ? [] : [line('plain', `Budget: ${words}`)];
  },
  'budget-reached': (fact) => [line('warn', formatReached(fact))],
} satisfies Formats;

/** `claude opus, in docker, 3 tasks at once`. */
export function formatAgent({ agent, scripted, model, jobs, sandbox }: GroundFields): string {
  const name = scripted ? `a script plays ${agent}, no model runs` : agent;
  return [
    model === undefined ? name : `${name} ${model}`,
    ...(sandbox === undefined ? [] : [sandbox === 'docker' ? 'in docker' : 'in bubblewrap']),
    ...(jobs === undefined ? [] : [`${jobs} tasks at once`]),
  ].join(', ');
}

/** By a person, or because a task was reopened; not because tasks were closed. */
function isChanged(before: FactOf<'plan-read'>, now: FactOf<'plan-read'>): boolean {
  const [a, b] = [before, now].map(({ checks, tasks }) => ({
    checks,
    tasks: tasks.map(({ closed: _, ...task }) => task),
  }));
  const closed = new Set(before.tasks.filter((task) => task.closed).map(({ id }) => id));
  return !isDeepStrictEqual(a, b) || now.tasks.some((task) => !task.closed && closed.has(task.id));
}
