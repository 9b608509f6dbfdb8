// Shapes that the schemas of several facts share.
import { z } from 'zod';

type Shapes = Readonly<Record<string, z.ZodRawShape>>;

type Variant<T extends string, S extends Shapes> = {
  [N in keyof S & string]: z.ZodObject<{ type: z.ZodLiteral<T>; state: z.ZodLiteral<N> } & S[N]>;
}[keyof S & string];

/** The schema of a type's facts, from their fields. */
export function fact<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), ...shape });
}

/** The same from the fields of each state. */
export function byState<T extends string, S extends Shapes>(
  type: T,
  shapes: S,
): z.ZodDiscriminatedUnion<readonly [Variant<T, S>, ...Variant<T, S>[]], 'state'> {
  const variants = Object.entries(shapes).map(([state, shape]) =>
    z.object({ type: z.literal(type), state: z.literal(state), ...shape }),
  );
  return z.discriminatedUnion('state', variants as never) as never;
}

/** One of the names that a table has. */
export function keysOf<T extends Readonly<Record<string, unknown>>>(table: T) {
  return z.enum(Object.keys(table) as (keyof T & string)[]);
}

/** What changed, in files and lines. */
export const changeShape = { files: z.number(), insertions: z.number(), deletions: z.number() };

/** Stays in the run’s folder: readers join it, and a journal may come from another machine. */
export const fileInRun = z
  .string()
  .max(500)
  .regex(/^(?![/\\])(?!.*(?:^|[/\\])\.\.?(?:[/\\]|$))[^\p{Cc}]+$/u, 'not a name in the run folder');
