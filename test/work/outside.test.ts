// Settings that checks read in no tree.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Place } from '../../src/place/place.ts';
import { findChangedOutside, readOutsideFiles } from '../../src/work/outside.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const called = { files: [], recipes: [], programs: [] };

test.each<['user' | 'inside', boolean, readonly string[]]>([
  ['user', false, ['~/.npmrc']],
  ['inside', false, []],
  ['user', true, []],
  ['inside', true, ['~/.npmrc']],
])('a new setting in the home %s, in a sandbox %s: %j', (where, isSandboxed, told) => {
  using temp = makeTempFolder();
  const homeOf = (name: string) => path.join(temp.path, name);
  for (const name of ['user', 'inside', 'tree']) mkdirSync(homeOf(name));
  const place = {
    repo: { root: homeOf('tree'), env: { HOME: homeOf('user') } },
    ...(isSandboxed ? { sandbox: { home: homeOf('inside') } } : {}),
  } as unknown as Place;
  const before = readOutsideFiles(place, called, []);
  writeFileSync(path.join(homeOf(where), '.npmrc'), 'script-shell=/tmp/green\n');
  expect(findChangedOutside(place, before, called).map(({ file }) => file)).toEqual(told);
});
