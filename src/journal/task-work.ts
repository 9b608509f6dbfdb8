// How the work of a task began and where it is, as the facts tell it.
import type { FactOf, Stamped } from '../event.ts';

/** A task's first start. `taken`: files that decide checks and that a person has changed since, with the tree that has them. */
export type Start = Stamped<FactOf<'task-started'>> &
  Readonly<{
    taken?: Readonly<Record<string, string>>;
    /** Own checks that were red before all work, where it has since been moved onto what landed. */
    wasRed?: readonly string[];
  }>;

/** Where the work of a task is. */
export type TaskWork =
  /** In the tree where it is worked on, if it has begun. */
  | Readonly<{ is: 'here' }>
  /**
   * `leaving`: it is being taken out of the tree; a kill may have intervened. `saved`: it is out, and the next attempt brings
   * it back. `returning`: the task has begun anew, and its work is brought back before the attempt.
   */
  | Readonly<{ is: 'leaving' | 'saved' | 'returning'; rescue: string }>
  /** It is out for good; `told`: the task has begun anew, and its agent is told where that work is. */
  | Readonly<{ is: 'discarded'; rescue?: string | undefined }>
  | Readonly<{ is: 'told'; rescue: string }>;
