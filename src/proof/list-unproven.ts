// Pure. What the experiments found that a reviewer should read first.
import type { FactOf } from '../event.ts';
import type { Experiments } from './task-proof.ts';

export function listUnproven({
  tasks,
}: Readonly<{
  tasks: ReadonlyMap<string, Readonly<{ judged?: FactOf<'proof-judged'> | undefined }>>;
}>): readonly string[] {
  const found = [...tasks.values()].flatMap(({ judged }) => judged?.experiments ?? []);
  return [...new Set(found.flatMap(nameUnproven))];
}

export function nameUnproven({ redefined, deaf, indifferent, hunks }: Experiments): readonly string[] {
  return [
    ...redefined.map(
      ({ file, from }) => `${file}:${from}: changed, and red as it was before: is the new expectation right?`,
    ),
    ...deaf.map((file) => `${file}: the checks are green with garbage in its place`),
    ...indifferent.map((file) => `${file}: green without the work`),
    ...hunks.unproven.map(({ file, from, to, executed }) => {
      const why =
        executed === undefined ? '' : executed ? ', though it is executed' : ' and it is never executed';
      return `${file}:${from}${to > from ? `-${to}` : ''}: no test misses it${why}`;
    }),
  ];
}
