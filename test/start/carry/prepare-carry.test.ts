// Whether a run can be carried, and to which remote: what is refused before anything begins.
import { expect, test } from 'vitest';
import { chooseRemote, refuseStoredElsewhere } from '../../../src/start/carry/prepare-carry.ts';
import { openTemp } from '../../git/open.ts';

test('the remote that a run is carried to stays, until it has another name', async () => {
  await using opened = await openTemp();
  const { repo, temp } = opened;
  for (const name of ['origin', 'other']) await temp.git('remote', 'add', name, `/nowhere/${name}`);
  expect(await chooseRemote(repo, undefined, undefined)).toBeUndefined();
  expect(await chooseRemote(repo, undefined, 'other')).toBe('other');
  expect(await chooseRemote(repo, 'origin', 'other')).toBe('origin');
  await expect(chooseRemote(repo, undefined, 'up')).rejects.toThrow('no remote named "up"');
  await temp.git('remote', 'rename', 'origin', 'up');
  await expect(chooseRemote(repo, 'origin', undefined)).rejects.toThrow('no remote named "origin"');
  expect(await chooseRemote(repo, 'origin', 'up')).toBe('up');
});

test('a repository whose files have their content elsewhere than in git is refused', async () => {
  await using opened = await openTemp();
  await refuseStoredElsewhere(opened.repo);
  await opened.temp.write('.gitattributes', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  await opened.temp.git('add', '.gitattributes');
  await opened.temp.git('commit', '-qm', 'lfs');
  await expect(refuseStoredElsewhere(opened.repo)).rejects.toThrow('git-lfs or git-annex keep the content');
});
