// How a task began, as the journal has it.
import type { FactOf, Stamped } from '../event.ts';

/** A task's first start. `taken`: files that decide checks and that a person has changed since, with the tree that has them. */
export type Start = Stamped<FactOf<'task-started'>> &
  Readonly<{
    taken?: Readonly<Record<string, string>>;
    /** Own checks that were red before all work, where it has since been moved onto what landed. */
    wasRed?: readonly string[];
  }>;
