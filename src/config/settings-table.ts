// The table of settings in docs/settings.md, generated from the schema. A test compares the document with it.
import { type Key, keys } from './setting-keys.ts';

/** Markdown table of all settings: key, default, meaning, class of consent. */
export function configTable(): string {
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
export function formatDefault({ default: value }: Key): string {
  if (value === undefined) return '–';
  return `\`${Array.isArray(value) || typeof value === 'object' ? JSON.stringify(value) : String(value)}\``;
}

function formatMeaning(key: Key): string {
  const choices = key.choices.map((choice) => `\`${choice}\``).join(', ');
  return (choices ? `${key.meaning} (${choices})` : key.meaning).replaceAll('|', '\\|');
}
