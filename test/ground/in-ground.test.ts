// What killed runs leave among the grounds: the next start removes what is passing, and nothing that a live run has.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dropGrounds, removeLeftGrounds } from '../../src/ground/in-ground.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('a start removes what is passing of its own run and of dead ones; an end what its own run’s earlier lives left', async () => {
  using temp = makeTempFolder();
  const grounds = path.join(temp.path, 'grounds');
  const [prove, look] = ['prove-0123456789abcdef', 'look-0123456789abcdef'];
  const folders = [
    `mine/${prove}`,
    `dead/${prove}`,
    `dead/${look}`,
    'dead/lane-1',
    `alive/${prove}`,
    `gone/${look}`,
  ];
  for (const folder of folders) mkdirSync(path.join(grounds, folder), { recursive: true });
  removeLeftGrounds({ run: { id: 'mine', folder: temp.path, grounds } }, new Set(['alive']));
  expect(folders.filter((folder) => existsSync(path.join(grounds, folder)))).toEqual([
    'dead/lane-1',
    `alive/${prove}`,
  ]);
  expect(existsSync(path.join(grounds, 'gone'))).toBe(false);
  mkdirSync(path.join(grounds, 'mine', prove), { recursive: true });
  await dropGrounds({ run: { id: 'mine', folder: temp.path, grounds } });
  expect(existsSync(path.join(grounds, 'mine'))).toBe(false);
});
