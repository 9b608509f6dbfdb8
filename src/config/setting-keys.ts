// The schema as a flat list of settings.
import { z } from 'zod';
import { type ConsentClass, consentClassOf } from './form.ts';
import { configSchema } from './schema.ts';

/** As zod calls them, but for a time. */
export type KeyKind = 'string' | 'array' | 'record' | 'number' | 'boolean' | 'enum' | 'time';

export type Key = Readonly<{
  /** With dots: `agent.claude.command`. */
  name: string;
  kind: KeyKind;
  meaning: string;
  /** As people write it; undefined if absence has a meaning of its own. */
  default: unknown;
  /** Of an `enum`. */
  choices: readonly string[];
  /** The smallest of all layers wins. */
  tightens: boolean;
  /** If a project sets it. */
  consent: ConsentClass;
  /** Never shown. */
  secret: boolean;
  schema: z.ZodType;
}>;

export const keys: readonly Key[] = listKeys(configSchema, { name: '', consent: 'plain' });

const byName = new Map(keys.map((key) => [key.name, key]));

export function findKey(name: string): Key | undefined {
  return byName.get(name);
}

/** Groups of settings: `agent`, `agent.claude`. */
export const sections: ReadonlySet<string> = new Set(
  keys.flatMap(({ name }) => Array.from(name.matchAll(/\./g), ({ index }) => name.slice(0, index))),
);

type Above = Readonly<{ name: string; consent: ConsentClass }>;

function listKeys(schema: z.ZodType, { name, consent: inherited }: Above): Key[] {
  let consent: ConsentClass | undefined;
  let meaning: string | undefined;
  let fallback: unknown;
  let isTime = false;
  let inner = schema;
  for (let next: unknown = schema; next instanceof z.ZodType; ) {
    inner = next;
    meaning ??= inner.description;
    consent ??= consentClassOf(inner);
    if (inner instanceof z.ZodPrefault) fallback = inner.def.defaultValue;
    if (inner instanceof z.ZodPipe) isTime = true;
    next =
      inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional
        ? inner.unwrap()
        : inner instanceof z.ZodPipe && inner.in;
  }
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([part, child]) =>
      listKeys(child, { name: name ? `${name}.${part}` : part, consent: consent ?? inherited }),
    );
  const key: Key = {
    name,
    kind: isTime ? 'time' : (inner.def.type as KeyKind),
    meaning: meaning ?? '',
    default: fallback,
    choices: inner instanceof z.ZodEnum ? inner.options.map(String) : [],
    tightens: name.startsWith('budgets.'),
    consent: consent ?? inherited,
    secret: name === 'notify.urls' || name === 'fleet.url',
    schema,
  };
  return [key];
}
