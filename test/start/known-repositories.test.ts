// Which repositories pawl knows: those it ran in, once each, as long as they are there.
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { listRepositories, rememberRepository } from '../../src/start/known-repositories.ts';
import { findPlaceAt, type Place } from '../../src/start/locate.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

async function makeRepository(folder: string): Promise<Place> {
  await mkdir(path.join(folder, '.git'), { recursive: true });
  const place = findPlaceAt(await realpath(folder));
  if (!place) throw new Error('no repository');
  return place;
}

test('a repository is known once, and forgotten when it is gone', async () => {
  await using temp = await makeTempFolder();
  const folders = findFolders({}, path.join(temp.path, 'home'));
  const [a, b] = [
    await makeRepository(path.join(temp.path, 'a')),
    await makeRepository(path.join(temp.path, 'b')),
  ];
  expect(listRepositories(folders)).toEqual([]);
  for (const place of [b, a, b]) rememberRepository(folders, place);
  expect(listRepositories(folders)).toEqual([a, b]);
  await rm(a.root, { recursive: true });
  expect(listRepositories(folders)).toEqual([b]);
});

test('the tree that a run was started in may go: the repository is found by its main one', async () => {
  await using temp = await makeTempFolder();
  const folders = findFolders({}, path.join(temp.path, 'home'));
  const main = await makeRepository(path.join(temp.path, 'main'));
  rememberRepository(folders, { root: path.join(temp.path, 'gone'), commonDir: main.commonDir });
  expect(listRepositories(folders)).toEqual([main]);
});

test('a folder that cannot be written keeps no run from going on', async () => {
  await using temp = await makeTempFolder();
  const place = await makeRepository(path.join(temp.path, 'a'));
  await writeFile(path.join(temp.path, 'file'), '');
  const folders = findFolders({ XDG_STATE_HOME: path.join(temp.path, 'file') }, temp.path);
  rememberRepository(folders, place);
  expect(listRepositories(folders)).toEqual([]);
});
