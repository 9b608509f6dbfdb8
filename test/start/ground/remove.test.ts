// A ground is removed only if all that is only there is saved.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeGround } from '../../../src/ground/make.ts';
import { removeGround } from '../../../src/start/ground/remove.ts';
import { openTemp } from '../../git/open.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

test.each([
  ['a new file is saved', 10, { saved: expect.stringContaining('new.bin') }, false],
  ['whatever its plan is called', 10, { saved: expect.stringContaining('new.bin') }, false, 'plan.gone'],
  ['one that no rescue point holds keeps it', 11_000_000, { why: expect.stringContaining('new.bin') }, true],
])('%s', async (_, bytes, end, stays, name = 'plan') => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n' } });
  using parent = makeTempFolder();
  const root = path.join(parent.path, name);
  await makeGround(made.repo, { folder: root, branch: 'work', commit: await made.oid() });
  writeFileSync(path.join(root, 'new.bin'), 'x'.repeat(bytes));
  expect(await removeGround(made.repo, { root })).toMatchObject(end);
  expect(existsSync(root)).toBe(stays);
});
