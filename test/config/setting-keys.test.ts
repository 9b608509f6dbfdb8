import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Key, keys } from '../../src/config/setting-keys.ts';
import { envName } from '../../src/config/text-layer.ts';

test('every setting has a meaning of one line and a sound default', () => {
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys) {
    expect(key.meaning, key.name).toMatch(/^[^\n]{8,}[.]$/);
    if (key.default !== undefined) expect(key.schema.safeParse(key.default).success, key.name).toBe(true);
  }
});

test('names and variables are unique', () => {
  expect(new Set(keys.map((key) => key.name)).size).toBe(keys.length);
  expect(new Set(keys.map((key) => envName(key.name))).size).toBe(keys.length);
});

// The table of settings in docs/settings.md is that of the schema.
const document = new URL('../../docs/settings.md', import.meta.url);
const section = /(<!-- settings:start -->\n)[\s\S]*?(<!-- settings:end -->)/;

test('the table of docs/settings.md is the schema’s; UPDATE_SETTINGS=1 writes it', () => {
  const text = readFileSync(document, 'utf8');
  expect(text).toMatch(section);
  const wanted = text.replace(
    section,
    (_, start: string, end: string) => `${start}\n${configTable()}\n\n${end}`,
  );
  if (process.env['UPDATE_SETTINGS']) writeFileSync(document, wanted);
  else expect(text).toBe(wanted);
});

/** Markdown table of all settings: key, default, meaning, class of consent. */
function configTable(): string {
  const rows = keys.map((key) => [
    `\`${key.name}\``,
    formatDefault(key),
    formatMeaning(key),
    key.consent === 'plain' ? '' : key.consent,
  ]);
  return [['Key', 'Default', 'Meaning', 'Consent'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** A default as it would be written in YAML. */
function formatDefault({ default: value }: Key): string {
  if (value === undefined) return '–';
  return `\`${Array.isArray(value) || typeof value === 'object' ? JSON.stringify(value) : String(value)}\``;
}

function formatMeaning(key: Key): string {
  const choices = key.choices.map((choice) => `\`${choice}\``).join(', ');
  return (choices ? `${key.meaning} (${choices})` : key.meaning).replaceAll('|', '\\|');
}
