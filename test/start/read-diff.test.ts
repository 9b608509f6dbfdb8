// What `pawl diff` and the page show of work that is not committed: new files, too, but none that were there before the run.
import { expect, test } from 'vitest';
import { listRuns, makeRunFolder } from '../../src/journal/folder.ts';
import { Journal } from '../../src/journal/journal.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { readDiff } from '../../src/start/read-diff.ts';
import { makeWorld } from '../cli/world.ts';
import { fact } from '../helpers/facts.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

test('new files are shown, a person’s own are not, and the index stays as it is', async () => {
  await using repo = await makeRepo({ files: { 'kept.txt': 'k\n' } });
  using world = makeWorld();
  const place = findPlaceAt(repo.path);
  if (!place) throw new Error('no repository');
  const [base, branch] = [await repo.git('rev-parse', 'HEAD'), await repo.git('branch', '--show-current')];
  const { run, folder } = makeRunFolder(place.commonDir, new Date(0), 'p');
  const journal = new Journal(folder);
  journal.append(
    fact('run-started', { run, base, branch, untracked: ['mine.txt', 'odd [1].txt'] }),
    new Date(0),
  );
  journal.close();
  for (const file of ['mine.txt', 'odd [1].txt', 'new.txt', 'kept.txt']) await repo.write(file, `${file}\n`);
  const [found] = listRuns(place.commonDir);
  if (!found) throw new Error('no run');
  const shown = await readDiff(world.context(), { place, run: found, look: ['--name-only'] });
  expect(shown.trim().split('\n')).toEqual(['kept.txt', 'new.txt']);
  expect(await repo.git('ls-files')).toBe('README.md\nkept.txt');
});
