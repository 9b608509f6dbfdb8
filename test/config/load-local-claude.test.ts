// Claude Code as its installer leaves it: in the home, and nowhere on PATH.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { orLocalClaude } from '../../src/config/load.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('the program below the home is used where PATH has none, and another command never', () => {
  using temp = makeTempFolder();
  const home = temp.path;
  const put = (folder: string) => {
    mkdirSync(path.join(home, folder), { recursive: true });
    writeFileSync(path.join(home, folder, 'claude'), '#!/bin/sh\n');
    chmodSync(path.join(home, folder, 'claude'), 0o755);
  };
  const find = (command = 'claude') => orLocalClaude(command, { home, searchPath: path.join(home, 'bin') });
  expect(find()).toBe('claude');
  put('.claude/local');
  expect(find()).toBe(path.join(home, '.claude/local/claude'));
  expect(find('my-claude')).toBe('my-claude');
  put('bin');
  expect(find()).toBe('claude');
});
