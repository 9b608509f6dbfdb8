import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isNoRef } from '../../../src/git/place/branches.ts';
import { openTemp } from '../open.ts';

test('that there is no ref is only said where the files tell', async () => {
  await using made = await openTemp();
  const ref = 'refs/pawl/r/rescue';
  expect(isNoRef(made.repo, ref)).toBe(true);
  await made.temp.git('update-ref', ref, 'HEAD');
  expect(isNoRef(made.repo, ref)).toBe(false);
  await made.temp.git('pack-refs', '--all');
  expect(isNoRef(made.repo, ref)).toBe(false);
  expect(isNoRef(made.repo, `${ref}s`)).toBe(true);
  mkdirSync(path.join(made.repo.commonDir, 'reftable'));
  expect(isNoRef(made.repo, `${ref}s`)).toBe(false);
});
