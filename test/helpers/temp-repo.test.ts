// A test repository is real, clean, and gone at the end of its scope.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeRepo } from './temp-repo.ts';

test('a repository has one commit with all it was given, and removes itself', async () => {
  let folder = '';
  {
    await using repo = await makeRepo({ files: { 'a/b.txt': 'c' }, plan: '# Plan: x\n' });
    folder = repo.path;
    expect(await repo.git('branch', '--show-current')).toBe('main');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await repo.log()).toEqual(['start']);
    expect((await repo.git('ls-files')).split('\n')).toEqual(['README.md', 'a/b.txt', 'docs/plans/plan.md']);
    expect(repo.plan).toBe('docs/plans/plan.md');
    await repo.write('new/file', 'x');
    expect(await repo.read('new/file')).toBe('x');
    expect([await repo.exists('new/file'), await repo.exists('other')]).toEqual([true, false]);
    await expect(repo.git('no-such-command')).rejects.toThrow('no-such-command');
  }
  expect(existsSync(folder)).toBe(false);
});
