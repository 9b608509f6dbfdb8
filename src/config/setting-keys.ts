// The schema as a flat list of settings.
import type { z } from 'zod';
import { type ConsentClass, consentClassOf } from './form.ts';
import { configSchema } from './schema.ts';

export type KeyKind = 'text' | 'list' | 'map' | 'number' | 'switch' | 'choice' | 'time';

export type Key = Readonly<{
  /** With dots: `agent.claude.command`. */
  name: string;
  kind: KeyKind;
  meaning: string;
  /** As people write it; undefined if absence has a meaning of its own. */
  default: unknown;
  /** Of a `choice`. */
  choices: readonly string[];
  /** The smallest of all layers wins. */
  tightens: boolean;
  /** If a project sets it. */
  consent: ConsentClass;
  /** Never shown. */
  secret: boolean;
  schema: z.ZodType;
}>;

type Node = Readonly<{
  description?: string;
  def: Readonly<{
    type: string;
    shape?: Readonly<Record<string, Node>>;
    innerType?: Node;
    in?: Node;
    defaultValue?: unknown;
    entries?: Readonly<Record<string, string>>;
  }>;
}>;

const kindOf: Readonly<Record<string, KeyKind>> = {
  string: 'text',
  array: 'list',
  record: 'map',
  number: 'number',
  boolean: 'switch',
  enum: 'choice',
};

export const keys: readonly Key[] = listKeys(configSchema as unknown as Node, { name: '', consent: 'plain' });

const byName = new Map(keys.map((key) => [key.name, key]));

export function findKey(name: string): Key | undefined {
  return byName.get(name);
}

/** Groups of settings: `agent`, `agent.claude`. */
export const sections: ReadonlySet<string> = new Set(
  keys.flatMap(({ name }) => Array.from(name.matchAll(/\./g), ({ index }) => name.slice(0, index))),
);

type Above = Readonly<{ name: string; consent: ConsentClass }>;

function listKeys(node: Node, { name, consent: inherited }: Above): Key[] {
  let consent: ConsentClass | undefined;
  let meaning: string | undefined;
  let fallback: unknown;
  let kind: string | undefined;
  let inner = node;
  for (;;) {
    meaning ??= inner.description;
    consent ??= consentClassOf(inner as unknown as z.ZodType);
    if (inner.def.type === 'prefault') fallback = inner.def.defaultValue;
    if (inner.def.type === 'pipe') kind = 'time';
    const next = inner.def.innerType ?? inner.def.in;
    if (!next) break;
    inner = next;
  }
  const { shape, entries } = inner.def;
  if (shape) {
    return Object.entries(shape).flatMap(([part, child]) =>
      listKeys(child, { name: name ? `${name}.${part}` : part, consent: consent ?? inherited }),
    );
  }
  const key: Key = {
    name,
    kind: (kind as KeyKind | undefined) ?? kindOf[inner.def.type] ?? 'text',
    meaning: meaning ?? '',
    default: fallback,
    choices: Object.keys(entries ?? {}),
    tightens: name.startsWith('budgets.'),
    consent: consent ?? inherited,
    secret: name === 'notify.urls' || name === 'fleet.url',
    schema: node as unknown as z.ZodType,
  };
  return [key];
}
