// The grounds of a repository's runs: numbered, named while they are made, freed when a start was killed.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forgetGround, listGrounds, makerOf, reserveGround } from '../../src/journal/grounds.ts';
import { findHolders } from '../../src/journal/lock.ts';
import { groundsFolder } from '../../src/journal/run-files.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const start = { plan: 'a.md', now: new Date('2026-11-21T22:30:00.000Z') };

test('grounds get the lowest free number, are named while they are made, and are free again when nothing came of them', () => {
  using home = makeTempFolder();
  expect(listGrounds(home.path)).toEqual([]);
  const first = reserveGround(home.path, start);
  const second = reserveGround(home.path, { ...start, plan: 'b.md' });
  expect([first.number, second.number]).toEqual([1, 2]);
  expect(makerOf(home.path, 'b.md')?.pid).toBe(process.pid);
  const root = path.join(home.path, 'tree');
  mkdirSync(root);
  second.setRoot(root);
  first[Symbol.dispose]();
  second[Symbol.dispose]();
  expect(listGrounds(home.path)).toMatchObject([{ number: 2, root }]);
  expect(makerOf(home.path, 'b.md')).toBeUndefined();
  expect(reserveGround(home.path, start).number).toBe(1);
  forgetGround(path.join(groundsFolder(home.path), '2'));
  expect(listGrounds(home.path).map(({ number }) => number)).toEqual([1]);
  expect(existsSync(root)).toBe(true);
});

test('a number whose maker was killed before it made a tree is free, one without a lock is not', () => {
  using home = makeTempFolder();
  const all = groundsFolder(home.path);
  mkdirSync(path.join(all, '1/pawl'), { recursive: true });
  writeFileSync(path.join(all, '1/pawl/lock'), '{"pid":1');
  mkdirSync(path.join(all, '2'));
  using ground = reserveGround(home.path, start);
  expect(ground.number).toBe(1);
  expect(readdirSync(all)).toEqual(['1', '2']);
});

test('a pawl that holds a ground is one of the repository', () => {
  using home = makeTempFolder();
  using ground = reserveGround(home.path, start);
  const root = path.join(home.path, 'tree');
  ground.setRoot(root);
  mkdirSync(path.join(root, '.git/pawl'), { recursive: true });
  const lock = path.join(groundsFolder(home.path), '1/pawl/lock');
  copyFileSync(lock, path.join(root, '.git/pawl/lock'));
  expect(findHolders(home.path).map(({ gitDir }) => gitDir)).toEqual([path.join(root, '.git')]);
});
