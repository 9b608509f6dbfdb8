import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { groundMark } from '../../src/ground/git-folder.ts';
import { needPlace } from '../../src/start/find-run.ts';
import { findPlace } from '../../src/start/locate.ts';
import { eachWorld } from '../cli/world.ts';

const world = eachWorld({ git: true });
beforeEach(() => void world.git('commit', '-q', '--allow-empty', '-m', 'a'));

test('a folder below, also through a link, finds the top', () => {
  mkdirSync(path.join(world.cwd, 'a/b'), { recursive: true });
  symlinkSync('repo/a', path.join(world.top, 'link'));
  const gitDir = path.join(world.cwd, '.git');
  const place = { root: world.cwd, gitDir, commonDir: gitDir };
  expect(findPlace(path.join(world.cwd, 'a/b'))).toEqual(place);
  expect(findPlace(path.join(world.top, 'link/b'))).toEqual(place);
});

test.each([
  ['a line end', Buffer.from('a\nb')],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xff])],
])('%s in a folder’s name is refused in words', (what, name) => {
  const folder = Buffer.concat([Buffer.from(`${world.top}/`), name]);
  mkdirSync(folder);
  renameSync(path.join(world.cwd, '.git'), Buffer.concat([folder, Buffer.from('/.git')]));
  expect(() => findPlace(folder.toString())).toThrow(
    expect.objectContaining({ code: 'preflight', message: expect.stringContaining(`has ${what} in it`) }),
  );
});

test('a linked working tree shares the common folder', () => {
  world.git('worktree', 'add', '-q', '../other');
  expect(findPlace(path.join(world.top, 'other'))).toEqual({
    root: path.join(world.top, 'other'),
    gitDir: path.join(world.cwd, '.git/worktrees/other'),
    commonDir: path.join(world.cwd, '.git'),
  });
});

test('outside a repository there is none; a .git that is nonsense is passed over', () => {
  expect(findPlace(world.top)).toBeUndefined();
  writeFileSync(path.join(world.top, '.git'), 'nonsense');
  expect(findPlace(world.top)).toBeUndefined();
});

test('a lane is no repository of its own: commands name where its run is', () => {
  expect(needPlace(world.context()).root).toBe(world.cwd);
  writeFileSync(path.join(world.cwd, '.git', groundMark), '/home/me/app');
  expect(() => needPlace(world.context())).toThrow(
    expect.objectContaining({ code: 'preflight', hint: expect.stringContaining('Change to /home/me/app') }),
  );
});

test('a bare repository is told as what it is', () => {
  world.git('clone', '-q', '--bare', '.', '../bare.git');
  const cwd = path.join(world.top, 'bare.git');
  expect(() => needPlace(world.context({ cwd }))).toThrow(
    expect.objectContaining({
      message: `${cwd} is a bare repository: there are no files to work on`,
      hint: expect.stringContaining('git worktree add'),
    }),
  );
});
