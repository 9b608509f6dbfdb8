// Help fits a narrow terminal.
import { expect, test } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { commands, findCommand } from '../../src/cli/commands.ts';
import { formatHelp } from '../../src/cli/program.ts';

test.each([undefined, ...commands])('in 80 columns: $name', (spec) => {
  const rows = formatHelp({ colour: false, columns: 80 }, { ...(spec ? { spec } : {}), all: true }).split(
    '\n',
  );
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
  expect(rows.filter((row) => row.includes('(choices:'))).toEqual([]);
});

test('run lists the fifteen options of an evening first', () => {
  const [first = '', more = ''] = formatHelp(
    { colour: false, columns: 80 },
    { spec: findCommand('run') as CommandSpec },
  ).split('\nMore:\n');
  expect([first, more].map((part) => part.match(/^ {2}(?:-\w, )?--/gm)?.length)).toEqual([16, 15]);
});
