// Why a run can wait. Without schemas: `pawl status --line` loads it.

/** Whose time a wait is: a `person`'s is not the run's, a `service`'s has its own back-off. */
export const waitOf = {
  ...({ limit: 'service', overload: 'service', crash: 'service', ci: 'forge' } as const),
  ...({ answer: 'person', comments: 'person' } as const),
} as const;
