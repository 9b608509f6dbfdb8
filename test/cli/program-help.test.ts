// Help fits a narrow terminal.
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { formatHelp } from '../../src/cli/program.ts';

test.each([undefined, ...commands])('in 80 columns: $name', (spec) => {
  const rows = formatHelp({ colour: false, columns: 80 }, { ...(spec ? { spec } : {}), all: true }).split(
    '\n',
  );
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
  expect(rows.filter((row) => row.includes('(choices:'))).toEqual([]);
});
