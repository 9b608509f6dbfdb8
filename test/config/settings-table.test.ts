import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentNames } from '../../src/config/agent-name.ts';
import { keys } from '../../src/config/setting-keys.ts';
import { configTable } from '../../src/config/settings-table.ts';

test('the table has a row per setting', () => {
  expect(configTable().split('\n').slice(0, 3)).toEqual([
    '| Key | Default | Meaning | Consent |',
    '| --- | --- | --- | --- |',
    `| \`agent.name\` | \`claude\` | The agent that does the work. (${agentNames.map((name) => `\`${name}\``).join(', ')}) | runs |`,
  ]);
  expect(configTable().split('\n')).toHaveLength(keys.length + 2);
  expect(configTable()).toContain('| `budgets.maxCost` | – |');
  expect(configTable()).toContain('| `checks` | `[]` |');
});

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
