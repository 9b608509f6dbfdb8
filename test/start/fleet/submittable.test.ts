import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { describeNamed, readSubmitted } from '../../../src/start/fleet/submittable.ts';
import { findPlaceAt } from '../../../src/start/locate.ts';
import { openTemp } from '../../git/open.ts';
import { letterPlan } from '../../helpers/letters.ts';

const config = configSchema.parse({});

test('a plan that could not be run, or has nothing left to do, is not submitted', async () => {
  const open = letterPlan('a');
  await using opened = await openTemp({
    files: {
      'open.md': open,
      'done.md': open.replace('- [ ]', '- [x]'),
      'empty.md': '# Plan: Nothing\n',
      'completed/old.md': open,
    },
  });
  const place = findPlaceAt(opened.repo.root);
  if (!place) throw new Error('it is a repository');
  const read = (plan: string) => readSubmitted({ cwd: place.root }, plan, { place, config });
  expect(read('open.md')).toMatchObject({ plan: 'open.md', checks: ['grep -qx a a.txt'] });
  expect(() => read('done.md')).toThrow('done.md has nothing left for an agent');
  expect(() => read('empty.md')).toThrow('the plan cannot be run');
  expect(() => read('old.md')).toThrow('old.md is done, and has been moved to completed/old.md');
});

test('an address for workers has the base branch as origin does, or it is said that it does not answer', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo, temp, oid } = opened;
  const url = path.join(repo.root, '.git', 'bare.git');
  await temp.git('clone', '-q', '--bare', repo.root, url);
  const base = (await temp.git('branch', '--show-current')).trim();
  const commit = await oid();
  const asked = { url, base, commit, clockMs: 60_000 };
  expect(await describeNamed(repo, asked)).toBeUndefined();
  expect(await describeNamed(repo, { ...asked, url: `${url}.not` })).toContain(
    `${url}.not does not answer from here`,
  );
  await expect(describeNamed(repo, { ...asked, base: 'next' })).rejects.toThrow(`${url} has no branch next`);
  await temp.git('commit', '-q', '--allow-empty', '-m', 'two');
  await expect(describeNamed(repo, { ...asked, commit: await oid() })).rejects.toThrow(
    `${url} has a different ${base} than origin`,
  );
});
