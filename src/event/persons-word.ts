// The facts by which a person speaks to a run. Pure; it loads no schemas.

/** What a person says to a run: on the disk before it is acknowledged, and whoever waits, rests or listens to a session looks at the state again. */
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
