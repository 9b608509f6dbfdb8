// Folders on a disk that refuses, or that several make at once.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { makeFolder } from '../src/disk.ts';
import { makeTempFolder } from './helpers/temp-folder.ts';

it('makes a folder with its parents, and one that is there is fine', () => {
  using temp = makeTempFolder();
  const folder = path.join(temp.path, 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
  writeFileSync(path.join(temp.path, 'file'), '');
  expect(() => makeFolder(path.join(temp.path, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(path.join(temp.path, 'file/below'))).toThrow('ENOTDIR');
});

it('of several that make the same folders at once, none fails', async () => {
  using temp = makeTempFolder();
  const script = `
    const { workerData: [disk, base, gate] } = require('node:worker_threads');
    import(disk).then(({ makeFolder }) => {
      const ready = new Int32Array(gate);
      Atomics.add(ready, 0, 1);
      while (Atomics.load(ready, 0) < 3);
      for (let at = 0; at < 40; at += 1) makeFolder(base + '/' + at + '/a/b/c/d');
    });`;
  const data = [new URL('../src/disk.ts', import.meta.url).href, temp.path, new SharedArrayBuffer(4)];
  const workers = Array.from({ length: 3 }, () => new Worker(script, { eval: true, workerData: data }));
  const ends = workers.map(
    (worker) => new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve)),
  );
  expect(await Promise.all(ends)).toEqual([0, 0, 0]);
  expect(existsSync(path.join(temp.path, '39/a/b/c/d'))).toBe(true);
});

it.runIf(process.platform === 'linux')('a folder where none can be made is an error at once', () => {
  expect(() => makeFolder('/proc/nowhere/at/all')).toThrow('ENOENT');
});
