import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldFact } from '../../src/journal/fold.ts';
import { createReporters, nameRuns } from '../../src/start/reporters.ts';
import { makeWorld, type World } from '../cli/world.ts';
import { byPerson, fact, stampAll } from '../helpers/facts.ts';

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world[Symbol.dispose]());

test.each([{ json: true }, { json: false }])(
  'what happens at once is written at once: %j',
  async (options) => {
    const writes: string[] = [];
    const stdout = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        writes.push(chunk);
        done();
      },
      writev: (chunks, done) => {
        writes.push(chunks.map(({ chunk }) => chunk).join(''));
        done();
      },
    });
    const { all: reporter } = createReporters(
      { ...world.context(), stdout },
      { ...options, commonDir: '/r/.git', mask: (text) => text },
    );
    const lines = () => writes.join('').split('\n').length - 1;
    const [start, first, second, third] = stampAll([
      fact('run-started'),
      ...['one', 'two', 'three'].map((text) => byPerson('answer', { said: text })),
    ]);
    if (!start || !first || !second || !third) throw new Error('four facts');
    const state = foldFact(undefined, start);
    reporter.report(first, state);
    reporter.report(second, state);
    expect(writes).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([writes.length, lines()]).toEqual([1, 2]);
    reporter.report(third, state);
    reporter.close();
    await new Promise((resolve) => stdout.end(resolve));
    expect([writes.length, lines()]).toEqual([2, 3]);
    expect(writes.join('')).toMatch(/one.*two.*three/s);
  },
);

test.each([
  ['/home/me/repo', '/home/me/repo/.git', '.git/pawl/runs'],
  ['/home/me/repo/docs', '/home/me/repo/.git', '../.git/pawl/runs'],
  ['/home/me/state/trees/1/login', '/home/me/repo/.git', '/home/me/repo/.git/pawl/runs'],
  ['/home/me/repo/a/b/c/d/e/f', '/r/.git', '/r/.git/pawl/runs'],
])('from %s the runs of %s are in %s', (cwd, commonDir, folder) => {
  expect(nameRuns({ ...world.context(), cwd }, commonDir)).toBe(folder);
});
