// Everything that can happen, as one closed union: facts, which are journaled, and activity, only shown.
import { z } from 'zod';
import type { AgentEvent } from './event/activity.ts';
import { controlFacts } from './event/control.ts';
import { guardFacts } from './event/guard.ts';
import { laneFacts } from './event/lane.ts';
import { planningFacts } from './event/planning.ts';
import { reviewFacts } from './event/review.ts';
import { runFacts } from './event/run.ts';
import { sessionFacts } from './event/session.ts';
import { taskFacts } from './event/task.ts';

/** A reader of the journal refuses later versions. */
export const eventVersion = 10;

export const factSchema = z.discriminatedUnion('type', [
  ...runFacts,
  ...taskFacts,
  ...guardFacts,
  ...sessionFacts,
  ...reviewFacts,
  ...planningFacts,
  ...controlFacts,
  ...laneFacts,
]);

/** One line of the journal. */
export type Fact = z.infer<typeof factSchema>;

/** By its type or, with several states, its name. Looked up: Extract<> would compare the whole union at each use. */
export type FactOf<N extends FactName> = FactsByName[N];

/** `stage` is any fact of that type, `stage-ended` the one with that state. */
export type FactName = keyof FactsByName;

type FactsByName = { [F in Fact as F['type'] | StateName<F>]: F };

type StateName<F extends Fact> = F extends { state: infer S extends string } ? `${F['type']}-${S}` : never;

/** The type, and the state if each has a shape of its own, e.g. `replan-taking`. */
export function factName(fact: Readonly<{ type: string; state?: unknown }>): string {
  return byState.has(fact.type) ? `${fact.type}-${fact.state}` : fact.type;
}

const byState: ReadonlySet<string> = new Set(
  factSchema.options.flatMap((option) => ('options' in option ? option.options[0].shape.type.value : [])),
);

export type Activity = Readonly<{ type: 'activity'; session: number; task?: string; event: AgentEvent }>;

export type Event = Fact | Activity;

/** Absent in the run's own tree, or nowhere in particular. */
export type OfLane = Readonly<{ lane?: number }>;

/**
 * With its time (ISO 8601, UTC). `sleptMs`: so much of the time since the fact before passed while the machine slept,
 * or by a clock set forward; negative: set back.
 */
export type Stamped<E extends Event = Event> = E &
  Readonly<{ v: number; at: string; sleptMs?: number }> &
  OfLane;

/** When it returns, a fact is in the journal. */
export type Emit = (event: Event & OfLane) => void;

/** Undefined if the value is not a fact of this version. */
export function readFact(value: unknown): Stamped<Fact> | undefined {
  const stamp = stampSchema.safeParse(value);
  const fact = factSchema.safeParse(value);
  if (!stamp.success || !fact.success || stamp.data.v !== eventVersion) return undefined;
  return { ...fact.data, ...stamp.data };
}

const stampSchema = z.object({
  v: z.number(),
  at: z.string(),
  lane: z.number().exactOptional(),
  sleptMs: z.number().exactOptional(),
});
