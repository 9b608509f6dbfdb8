// `pawl config`: shows the settings in effect, their origins, schema and files.
import { z } from 'zod';
import { formatOrigin } from '../config/layer.ts';
import { type LoadedConfig, projectConfigFile, userConfigFile } from '../config/load.ts';
import { configSchema } from '../config/schema.ts';
import { findKey } from '../config/setting-keys.ts';
import { type CliContext, paint, print, printNote } from '../start/context.ts';
import { loadSettings, rootOf } from '../start/load-settings.ts';
import type { Command } from './command.ts';

export type ConfigOptions = Readonly<{ origin?: boolean; json?: boolean }>;

export const showConfig: Command<ConfigOptions> = async (context, [what = 'show'], options) => {
  if (what === 'schema') print(context, JSON.stringify(configJsonSchema(context.version), undefined, 2));
  else if (what === 'path') showPaths(context);
  else showValues(context, loadSettings(context), options);
  return 0;
};

function showValues(context: CliContext, loaded: LoadedConfig, options: ConfigOptions): void {
  for (const notice of loaded.notices) printNote(context, notice);
  if (options.json) print(context, JSON.stringify(asJson(loaded), undefined, 2));
  else print(context, formatValues(context, loaded, options.origin === true));
}

function formatValues(context: CliContext, loaded: LoadedConfig, withOrigin: boolean): string {
  const shown = [...loaded.settings.values()].filter(
    ({ origin }) => withOrigin || origin.layer !== 'default',
  );
  if (shown.length === 0) return 'All settings are the defaults; --origin lists them.';
  const entries = shown.map(({ key, value, origin }) => ({
    text: `${key}: ${formatValue(shownValue(key, value))}`,
    origin: paint(context, 'dim', formatOrigin(origin)),
  }));
  if (!withOrigin) return entries.map(({ text }) => text).join('\n');
  const width = Math.min(60, Math.max(...entries.map(({ text }) => text.length)));
  return entries.map(({ text, origin }) => `${text.padEnd(width)}  ${origin}`).join('\n');
}

function showPaths(context: CliContext): void {
  const paths = { project: projectConfigFile(rootOf(context)), user: userConfigFile(context.folders) };
  for (const [layer, file] of Object.entries(paths)) print(context, `${layer.padEnd(8)} ${file}`);
}

function asJson({ settings, files }: LoadedConfig): unknown {
  const shown = [...settings.values()].map(({ key, value, origin }) => [
    key,
    { value: shownValue(key, value) ?? null, ...origin },
  ]);
  return { settings: Object.fromEntries(shown), files };
}

function shownValue(name: string, value: unknown): unknown {
  if (!findKey(name)?.secret || value === undefined) return value;
  const hidden = (one: unknown) => `${/^[a-z]+:(?:\/\/)?/i.exec(String(one))?.[0] ?? ''}…`;
  return Array.isArray(value) ? value.map(hidden) : hidden(value);
}

function formatValue(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
      // They may be given without `urls:`.
      notify: { ...notify, type: ['object', 'array'], items: notify.properties.urls.items },
    },
  };
}
