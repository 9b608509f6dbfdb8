import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configTable } from '../../src/config/table.ts';

test('the table has a row per setting', () => {
  expect(configTable().split('\n').slice(0, 3)).toEqual([
    '| Key | Default | Meaning | Variable |',
    '| --- | --- | --- | --- |',
    '| `agent.name` | `claude` | The agent that does the work. (`claude`, `codex`, `script`) | `PAWL_AGENT_NAME` |',
  ]);
  expect(configTable()).toContain('| `budgets.maxCost` | – |');
  expect(configTable()).toContain('| `checks` | `[]` |');
});

const readme = new URL('../../README.md', import.meta.url);
const section = /(<!-- config:start -->\n)[\s\S]*?(<!-- config:end -->)/;

test('the README’s table is the schema’s; UPDATE_README=1 writes it', () => {
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  // A README that shows no table is the README's business; one that shows it shows this one.
  if (!text.includes('config:start')) return;
  const wanted = text.replace(
    section,
    (_, start: string, end: string) => `${start}\n${configTable()}\n\n${end}`,
  );
  if (process.env['UPDATE_README']) writeFileSync(readme, wanted);
  else expect(text).toBe(wanted);
});
