// Whether a run can be carried, and to which remote: what is refused before anything begins.
import path from 'node:path';
import { expect, test } from 'vitest';
import { listRuns } from '../../../src/journal/folder.ts';
import { chooseRemote, prepareCarry, refuseStoredElsewhere } from '../../../src/start/carry/prepare-carry.ts';
import { openTemp } from '../../git/open.ts';
import { cleanWorkplace } from '../../helpers/workplace.ts';
import { writeRun } from '../../helpers/write-run.ts';

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

test('a run that goes on is carried from its own branch, wherever a cut-off session left HEAD', async () => {
  await using opened = await openTemp();
  const { repo, temp, home } = opened;
  const bare = path.join(home, 'bare.git');
  await temp.git('init', '-q', '--bare', bare);
  await temp.git('remote', 'add', 'origin', bare);
  await temp.git('branch', 'p');
  const planFile = path.join(repo.root, 'p.md');
  const request = {
    base: { repo, config: { carry: { remote: 'origin' } } } as never,
    about: {} as never,
    options: {},
    planFile,
    workplace: { ...cleanWorkplace, root: repo.root, branch: undefined },
  };
  await expect(prepareCarry({ ...request, open: undefined })).rejects.toThrow('HEAD is detached');
  writeRun(repo.home, { plan: 'p.md', branch: 'p' });
  const [run] = listRuns(repo.home);
  expect(await prepareCarry({ ...request, open: run as never })).toBe('origin');
});
