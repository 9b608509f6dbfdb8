// What is known to be secret beside a run: of the environment, and of the user's own settings, however broken they are.
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { userConfigFile } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { CliContext } from '../../src/start/context.ts';
import { createElsewhere, maskKnown } from '../../src/start/messages.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const folder = eachTest(makeTempFolder);

const address = 'filesecretword@push.example';

test.each<[settings: string | undefined, text: string, masked: string]>([
  [undefined, 'envsecretword stays', '[MY_TOKEN] stays'],
  [`notify: { urls: ["ntfys://${address}/t"] }\n`, 'at filesecretword', 'at [ntfys://push.example/…]'],
  [`notify: [ntfy://${address}/t]\n`, 'filesecretword envsecretword', '[ntfy://push.example/…] [MY_TOKEN]'],
  [`notify: [ntfyz://${address}/t]\n`, `ntfyz://${address}/t`, '[notify.urls]'],
  [`notify: [ntfys://${address}/t]\nnonsense: 1\n`, 'filesecretword', '[ntfys://push.example/…]'],
  ['notify: [ntfys://h/x\n  : ]]\n', 'envsecretword', '[MY_TOKEN]'],
  [
    'agents: { work: { use: claude, env: { A_TOKEN: worksecretword, A_DIR: ~/.claude-work } }, gemini: { env: { A_TOKEN: geminisecret } } }\n',
    'worksecretword geminisecret ~/.claude-work envsecretword',
    '[A_TOKEN] [A_TOKEN] ~/.claude-work [MY_TOKEN]',
  ],
  ['sandbox: { env: [MY_TOKEN, B_TOKEN=boxsecret=word] }\n', 'boxsecret=word', '[B_TOKEN]'],
])('with the settings %j, %j', async (settings, text, masked) => {
  const folders = findFolders({}, folder.path);
  mkdirSync(folders.config, { recursive: true });
  if (settings !== undefined) writeFileSync(userConfigFile(folders), settings);
  const mask = await maskKnown({ env: { MY_TOKEN: 'envsecretword' }, folders });
  expect(mask(text)).toBe(masked);
});

test('settings of the environment give secrets too', async () => {
  const env = { PAWL_SANDBOX_ENV: 'A_DIR=/home/of/a,B_TOKEN=boxsecretword' };
  const mask = await maskKnown({ env, folders: findFolders({}, folder.path) });
  expect(mask('/home/of/a boxsecretword')).toBe('/home/of/a [B_TOKEN]');
});

test('settings of a file give their secrets though the environment says otherwise: an earlier start may have had them', async () => {
  const folders = findFolders({}, folder.path);
  mkdirSync(folders.config, { recursive: true });
  writeFileSync(userConfigFile(folders), 'sandbox: { env: [A_TOKEN=filesecretword] }\n');
  const mask = await maskKnown({ env: { PAWL_SANDBOX_ENV: 'B_TOKEN=boxsecretword' }, folders });
  expect(mask('filesecretword boxsecretword')).toBe('[A_TOKEN] [B_TOKEN]');
});

test('a run knows the variables of its agents and its sandbox', async () => {
  const config = configSchema.parse({
    agents: {
      work: { use: 'claude', env: { A_TOKEN: 'worksecretword' } },
      gemini: { env: { A_TOKEN: 'geminisecret' } },
    },
    sandbox: { env: ['B_TOKEN=boxsecretword', 'HOME'] },
  });
  const context = { env: { MY_TOKEN: 'envsecretword' } } as unknown as CliContext;
  const { mask } = await createElsewhere(context, { config, commonDir: folder.path, isDialogue: false });
  expect(mask('worksecretword geminisecret boxsecretword envsecretword')).toBe(
    '[A_TOKEN] [A_TOKEN] [B_TOKEN] [MY_TOKEN]',
  );
});
