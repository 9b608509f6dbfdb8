// Packages that are lent to a checkout are seen there too, and nothing that a link in the working tree leads to.
import { mkdirSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lentModules } from '../../../src/start/sandbox/surroundings.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

test('packages beside a checkout are the run’s own folder, read-only', () => {
  using temp = makeTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  for (const folder of ['repo/node_modules', 'checks/tree', 'home'])
    mkdirSync(at(folder), { recursive: true });
  const lent = () => lentModules(at('repo'), at('checks/tree'));
  expect(lent()).toEqual([]);
  symlinkSync(at('repo/node_modules'), at('checks/node_modules'));
  expect(lent()).toEqual([{ from: at('repo/node_modules'), to: at('checks/node_modules'), readonly: true }]);
  expect(lentModules(at('repo'), at('repo'))).toEqual([]);
  unlinkSync(at('checks/node_modules'));
  symlinkSync(at('home'), at('checks/node_modules'));
  expect(lent()).toEqual([]);
  unlinkSync(at('checks/node_modules'));
  symlinkSync(at('repo/node_modules'), at('checks/node_modules'));
  rmdirSync(at('repo/node_modules'));
  symlinkSync(at('home'), at('repo/node_modules'));
  expect(lent()).toEqual([]);
});
