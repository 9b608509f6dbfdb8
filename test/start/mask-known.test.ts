// What is known to be secret beside a run: of the environment, and of the user's own settings, however broken they are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maskKnown } from '../../src/start/mask-known.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pawl-mask-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, string | undefined, string, string]>([
  ['no settings', undefined, 'envsecretword stays', '[MY_TOKEN] stays'],
  [
    'an address',
    'notify: { urls: ["gotifys://push.example/filesecretword"] }\n',
    'at filesecretword and envsecretword',
    'at [gotifys://push.example/…] and [MY_TOKEN]',
  ],
  ['a list alone', 'notify: [gotify://h/filesecretword]\n', 'x filesecretword', 'x [gotify://h/…]'],
  [
    'one that cannot be read',
    'notify: [gotfys://h/filesecretword]\n',
    'gotfys://h/filesecretword',
    '[notify.urls]',
  ],
  [
    'another mistake beside it',
    'notify: [gotifys://h/filesecretword]\nnonsense: 1\n',
    'filesecretword',
    '[gotifys://h/…]',
  ],
  ['no YAML', 'notify: [gotifys://h/x\n  : ]]\n', 'envsecretword', '[MY_TOKEN]'],
])('%s', async (_, settings, text, masked) => {
  mkdirSync(path.join(folder, 'pawl'));
  if (settings !== undefined) writeFileSync(path.join(folder, 'pawl/config.yaml'), settings);
  const config = path.join(folder, 'pawl');
  const folders = { home: folder, config, state: folder, cache: folder, runtime: undefined };
  const mask = await maskKnown({ env: { MY_TOKEN: 'envsecretword' }, folders });
  expect(mask(text)).toBe(masked);
});
