// The facts by which a person speaks to a run. Pure; loads no schemas.

/**
 * Each is on disk before it is acknowledged, and makes whoever waits, rests or listens to a session look at the state
 * again.
 */
export const personsWord = [
  'pause-asked',
  'continued',
  'stop-asked',
  'note-left',
  'skip-asked',
  'retry-asked',
  'budgets-set',
  'task-answered',
] as const;
