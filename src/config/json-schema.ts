// The JSON Schema of `.pawl/config.yaml` for editors, generated from schema.ts.
import { z } from 'zod';
import { configSchema } from './schema.ts';

/** JSON Schema of the configuration as people write it. `version` is pawl's. */
export function configJsonSchema(version: string): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { io: 'input' }) as Record<string, unknown>;
  const properties = rest['properties'] as Record<string, unknown>;
  const notify = properties['notify'] as { properties: { urls: { items: unknown } } };
  return {
    $schema,
    $id: `urn:pawl:config:${version}`,
    title: 'pawl configuration',
    description: 'Settings of pawl: .pawl/config.yaml in a project, or config.yaml in the user’s folder.',
    ...rest,
    properties: {
      $schema: { type: 'string', description: 'This schema, for editors.' },
      ...properties,
      // They may be given alone, without `urls:`.
      notify: { ...notify, type: ['object', 'array'], items: notify.properties.urls.items },
    },
  };
}
