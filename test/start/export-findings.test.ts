// What a run leaves behind for others: its findings as a file, where there was a review.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunState } from '../../src/journal/state.ts';
import type { Place } from '../../src/place/place.ts';
import { exportFindings } from '../../src/start/export-findings.ts';
import { makeWorld, type World } from '../cli/world.ts';
import { disputedReview, stateOf } from '../report/review-state.ts';

let world: World;

beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world[Symbol.dispose]());

function handOn(state: RunState, folder = world.top) {
  return world.run((context) => {
    exportFindings(context, { run: { state: () => state, folder } } as Place);
    return Promise.resolve(0);
  }, {});
}

it('writes what the review found, as `pawl findings --json` prints it', async () => {
  expect((await handOn(stateOf(...disputedReview))).exit).toBe(0);
  const found = JSON.parse(readFileSync(path.join(world.top, 'findings.json'), 'utf8'));
  expect(found).toMatchObject({ stages: [{ end: 'open' }], findings: [{ id: 'F3' }, {}, {}, {}, {}] });
});

it('writes no file where there was no review: it would look like a clean one', async () => {
  await handOn(stateOf());
  expect(existsSync(path.join(world.top, 'findings.json'))).toBe(false);
});

it('says so when it cannot', async () => {
  const { exit, stderr } = await handOn(stateOf(...disputedReview), '/no/such/folder');
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^The findings were not written: cannot open \/no\/such\/folder/);
});
