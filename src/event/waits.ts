// Why a run can wait. Without schemas: `pawl status --line` loads it.

/** What it waits for, and whose time that is: a `person`'s is not the run's, a `service`'s has its own back-off. */
export const waits = {
  limit: { of: 'service', reason: 'for the usage limit' },
  overload: { of: 'service', reason: 'for the agent’s service, which does not answer' },
  crash: { of: 'service', reason: 'before the crashed agent is started again' },
  ci: { of: 'forge', reason: 'for CI' },
  answer: { of: 'person', reason: 'for you' },
  comments: { of: 'person', reason: 'for comments' },
} as const;

type ServiceWait = {
  [W in keyof typeof waits]: (typeof waits)[W]['of'] extends 'service' ? W : never;
}[keyof typeof waits];

export function isServiceWait(why: keyof typeof waits): why is ServiceWait {
  return waits[why].of === 'service';
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
