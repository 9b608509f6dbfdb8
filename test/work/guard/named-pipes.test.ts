// A pipe in the place of a file that a check reads is found before the check waits for it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findNamedPipes } from '../../../src/work/guard/ignored-files.ts';
import type { PlacedCheck } from '../../../src/work/work.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

it.each([
  ['grep -qx a pipe', '.', ['pipe']],
  ['grep -qx a "pipe"&&true', '.', ['pipe']],
  ['diff pipe<sub/pipe', '.', ['pipe', 'sub/pipe']],
  ['cat pipe', 'sub', ['sub/pipe']],
  ['grep -qx a file', '.', []],
  ['cat /dev/null ../elsewhere', '.', []],
])('%s in %s', (command, cwd, pipes) => {
  using folder = makeTempFolder();
  mkdirSync(path.join(folder.path, 'sub'));
  writeFileSync(path.join(folder.path, 'file'), 'a\n');
  execFileSync('mkfifo', [path.join(folder.path, 'pipe'), path.join(folder.path, 'sub/pipe')]);
  const found = findNamedPipes(folder.path, [{ command, cwd } as PlacedCheck]);
  expect(found.map((text) => text.split(' ')[0])).toEqual(pipes);
});
