// What is known to be secret beside a run: of the environment, and of the user's own settings, however broken they are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maskKnown } from '../../src/start/messages.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pawl-mask-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, string | undefined, string, string]>([
  ['no settings', undefined, 'envsecretword stays', '[MY_TOKEN] stays'],
  [
    'an address',
    'notify: { urls: ["ntfys://filesecretword@push.example/t"] }\n',
    'at filesecretword and envsecretword',
    'at [ntfys://push.example/…] and [MY_TOKEN]',
  ],
  ['a list alone', 'notify: [ntfy://filesecretword@h/t]\n', 'x filesecretword', 'x [ntfy://h/…]'],
  [
    'one that cannot be read',
    'notify: [ntfyz://filesecretword@h/t]\n',
    'ntfyz://filesecretword@h/t',
    '[notify.urls]',
  ],
  [
    'another mistake beside it',
    'notify: [ntfys://filesecretword@h/t]\nnonsense: 1\n',
    'filesecretword',
    '[ntfys://h/…]',
  ],
  ['no YAML', 'notify: [ntfys://h/x\n  : ]]\n', 'envsecretword', '[MY_TOKEN]'],
])('%s', async (_, settings, text, masked) => {
  mkdirSync(path.join(folder, 'pawl'));
  if (settings !== undefined) writeFileSync(path.join(folder, 'pawl/config.yaml'), settings);
  const config = path.join(folder, 'pawl');
  const folders = { home: folder, config, state: folder, cache: folder, runtime: undefined };
  const mask = await maskKnown({ env: { MY_TOKEN: 'envsecretword' }, folders });
  expect(mask(text)).toBe(masked);
});
