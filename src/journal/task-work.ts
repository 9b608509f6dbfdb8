// How the work of a task began, and where it is.
import type { FactOf, Stamped } from '../event.ts';

/** `taken`: files that decide checks and that a person has changed since, each with its tree. */
export type Start = Stamped<FactOf<'task-started'>> &
  Readonly<{
    taken?: Readonly<Record<string, string>>;
    /** Own checks red before all work, once it has moved onto what landed. */
    wasRed?: readonly string[];
  }>;

export type TaskWork =
  /** Where it is worked on, if begun. */
  | Readonly<{ is: 'here' }>
  /**
   * `leaving`: being taken out; a kill may have intervened. `saved`: out, and the next attempt brings it back.
   * `returning`: the task has begun anew; brought back before the attempt.
   */
  | Readonly<{ is: 'leaving' | 'saved' | 'returning'; rescue: string }>
  /** For good; `told`: the task has begun anew, and its agent is told where it is. */
  | Readonly<{ is: 'discarded'; rescue?: string | undefined }>
  | Readonly<{ is: 'told'; rescue: string }>;
