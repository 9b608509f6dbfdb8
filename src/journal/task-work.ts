// Where the work of a task is, as the facts tell it.

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
