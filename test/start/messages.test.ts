// What is known to be secret beside a run: of the environment, and of the user's own settings, however broken they are.
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { userConfigFile } from '../../src/config/load.ts';
import { maskKnown } from '../../src/start/messages.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const folder = eachTest(makeTempFolder);

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
  const folders = findFolders({}, folder.path);
  mkdirSync(folders.config, { recursive: true });
  if (settings !== undefined) writeFileSync(userConfigFile(folders), settings);
  const mask = await maskKnown({ env: { MY_TOKEN: 'envsecretword' }, folders });
  expect(mask(text)).toBe(masked);
});
