// Any valid fact, made from the schemas themselves, so that a new fact is covered by every property at once.
import fc from 'fast-check';
import type { z } from 'zod';
import type { Fact, FactName } from '../../src/event.ts';
import { factSchemas, nameOf } from './facts.ts';

/** Texts that find tasks and sessions again often enough for facts to meet. */
const word = fc.oneof(
  fc.constantFrom('1', '2', '2a', 'plan:1'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const number = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** A fact of any type, or of one by its name. */
export function arbitraryFact(name?: FactName): fc.Arbitrary<Fact> {
  const wanted = factSchemas.filter((schema) => name === undefined || name === nameOf(schema));
  return fc.oneof(...wanted.map((schema) => arbitraryOf(schema) as fc.Arbitrary<Fact>));
}

function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'string':
      return word.filter((text) => (schema as z.ZodType).safeParse(text).success);
    case 'number':
      return number;
    case 'boolean':
      return fc.boolean();
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType), { nil: null });
    case 'optional':
      return arbitraryOf(def.innerType);
    case 'array':
      return fc.array(arbitraryOf(def.element), { maxLength: 3 });
    case 'object':
      return arbitraryObject(def.shape);
    default:
      throw new Error(`no arbitrary for ${def.type}`);
  }
}

function arbitraryObject(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape);
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    fields.map(([key, field]) => [key, arbitraryOf(field)]),
  );
  const requiredKeys = fields.filter(([, field]) => field._zod.def.type !== 'optional').map(([key]) => key);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}
