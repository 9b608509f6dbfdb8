// Why a run can wait. Without schemas: `pawl status --line` loads it.

/** Whose time a wait is: a `person`'s is not the run's, a `service`'s has its own back-off. */
export const waitOf = {
  limit: 'service',
  overload: 'service',
  crash: 'service',
  ci: 'forge',
  answer: 'person',
  comments: 'person',
} as const;

type ServiceWait = {
  [W in keyof typeof waitOf]: (typeof waitOf)[W] extends 'service' ? W : never;
}[keyof typeof waitOf];

export function isServiceWait(why: keyof typeof waitOf): why is ServiceWait {
  return waitOf[why] === 'service';
}

/** Waits for the same in a row, of which none led anywhere; `since`: when the first began. */
export type WaitRows = Readonly<{ [W in ServiceWait]?: Readonly<{ count: number; since: string }> }>;

/** When a run did not work, without `to` till now. `as`: what that time counts as; a person's is a pause. */
export type Rest = Readonly<{
  kind: 'wait' | 'pause' | 'dialogue' | 'stop';
  as: 'waiting' | 'paused' | 'stopped';
  from: string;
  to?: string;
  says: string;
}>;
