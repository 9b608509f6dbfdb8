// Gives tasks with the same number distinct ids by position, so that a run can tell them apart.

import type { PlanNote, Task } from './plan.ts';
import type { Section } from './section.ts';
import { noteAt, type Source } from './text-position.ts';

/** The sections with ids that differ, and what an author should know of those that did not. */
export type ToldApart = Readonly<{
  sections: readonly Section[];
  notes: readonly PlanNote[];
  /** Ids that stand several times in the text. */
  twice: ReadonlySet<string>;
}>;

/** Gives the second task 9 the id `9-2`, and so on. */
export function distinguishSections(sections: readonly Section[], source: Source): ToldApart {
  const taken = new Set(sections.map(({ id }) => id));
  const first = new Map<string, Section>();
  const twice = new Set<string>();
  const notes: PlanNote[] = [];
  const apart = sections.map((section) => {
    const before = first.get(section.id);
    if (!before) {
      first.set(section.id, section);
      return section;
    }
    twice.add(section.id);
    const id = freeId(section.id, taken);
    taken.add(id);
    const message = `task ${section.id} stands on line ${source.placeAt(before.start).line} too, so this one is called ${id}: give it a number of its own`;
    notes.push(noteAt(source, section.start, { rule: 'duplicate-id', severity: 'warning', message }));
    return { ...section, id };
  });
  return { sections: apart, notes, twice };
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** Which of them is meant where a task waits for such a number is not for pawl to guess. */
export function unclearDepends(tasks: readonly Task[], twice: ReadonlySet<string>): readonly PlanNote[] {
  return tasks.flatMap((task) => {
    const unclear = (task.depends ?? []).filter((id) => twice.has(id));
    return unclear.map((id): PlanNote => {
      const message = `task ${task.id} depends on task ${id}, and several tasks have that number: give each a number of its own`;
      return { rule: 'duplicate-id', severity: 'error', message, place: task.dependsPlace ?? task.place };
    });
  });
}
