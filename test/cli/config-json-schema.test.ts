import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/cli/config.ts';
import { keys } from '../../src/config/setting-keys.ts';

type Node = { properties?: Record<string, Node>; description?: string; additionalProperties?: boolean };

test('every setting is in it with its meaning, and nothing else is allowed', () => {
  const schema = configJsonSchema('1.2.3') as Node & Record<string, unknown>;
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:pawl:config:1.2.3',
  });
  for (const key of keys) {
    let node: Node = schema;
    for (const part of key.name.split('.')) {
      expect(node.additionalProperties, key.name).toBe(false);
      node = node.properties?.[part] ?? {};
    }
    expect(node.description, key.name).toBe(key.meaning);
  }
});

test('the hint for editors is allowed', () => {
  expect((configJsonSchema('1') as Node).properties?.['$schema']).toBeDefined();
});
