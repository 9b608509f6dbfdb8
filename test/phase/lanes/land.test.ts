// A landing beside a person who has git at work in the same tree.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finishFollow, landCommit } from '../../../src/phase/lanes/land.ts';
import { type Opened, openTemp } from '../../git/open.ts';

/** The run's own tree, and what is told of it. */
function trunkOf({ repo, temp }: Opened) {
  const told: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-run-'));
  const state = () => ({ started: { branch: 'main' }, notices: [] });
  const run = { state, folder, emit: ({ type }: { type: string }) => told.push(type) };
  const plan = { tracked: true, name: 'plan.md', file: path.join(temp.path, 'plan.md') };
  return { trunk: { repo, run, plan } as never, told, folder };
}

/** A commit that stands on the branch's head, as a lane brings it. */
async function commitOf({ temp }: Opened, act: () => Promise<unknown>): Promise<string> {
  const head = await temp.git('rev-parse', 'HEAD');
  await act();
  await temp.git('commit', '-qam', 'landed');
  const oid = await temp.git('rev-parse', 'HEAD');
  await temp.git('reset', '-q', '--hard', head);
  return oid;
}

const lane = { lane: { keep: () => Promise.resolve() } } as never;

test('a git of a person that holds the index does not undo a landing: the files follow later', async () => {
  await using made = await openTemp({ files: { a: 'a\n', 'plan.md': '# P\n' } });
  const { trunk, told, folder } = trunkOf(made);
  const parent = await made.oid();
  const oid = await commitOf(made, () => made.temp.write('a', 'landed\n'));
  await made.temp.write('.git/index.lock', '');
  expect(await landCommit({ trunk, found: {} } as never, lane, { oid, parent, task: '1' })).toBe(true);
  expect([await made.oid('main'), told]).toEqual([oid, ['noticed']]);
  rmSync(path.join(made.temp.path, '.git/index.lock'));
  await finishFollow(trunk);
  expect([await made.temp.read('a'), await made.temp.git('status', '--porcelain')]).toEqual(['landed\n', '']);
  rmSync(folder, { recursive: true });
});

test('git that dies in the middle of a file does not leave it to a person', async () => {
  const files = { a: 'a\n', b: 'b\n', '.gitattributes': 'a filter=dies\n', 'plan.md': '# P\n' };
  await using made = await openTemp({ files });
  const { trunk, told, folder } = trunkOf(made);
  const parent = await made.oid();
  const oid = await commitOf(made, async () => {
    await made.temp.write('a', 'landed\n');
    await made.temp.write('b', 'landed\n');
  });
  await made.temp.git('config', 'filter.dies.smudge', 'kill -9 $PPID');
  expect(await landCommit({ trunk, found: {} } as never, lane, { oid, parent, task: '1' })).toBe(true);
  expect([await made.temp.exists('a'), told]).toEqual([false, ['noticed']]);
  await made.temp.git('config', 'filter.dies.smudge', 'cat');
  await made.temp.git('config', 'filter.dies.clean', 'cat');
  await made.temp.write('b', 'land');
  await finishFollow(trunk);
  expect([await made.temp.read('a'), await made.temp.read('b')]).toEqual(['landed\n', 'landed\n']);
  expect([told, await made.temp.git('status', '--porcelain')]).toEqual([['noticed'], '']);
  rmSync(folder, { recursive: true });
});

test('a file that a person untracks in the moment of a landing stays theirs', async () => {
  await using made = await openTemp({ files: { a: 'a\n', mine: 'mine\n', 'plan.md': '# P\n' } });
  const { trunk, folder } = trunkOf(made);
  const parent = await made.oid();
  const oid = await commitOf(made, () => made.temp.write('a', 'landed\n'));
  await made.temp.git('rm', '-q', '--cached', 'mine');
  await made.temp.git('commit', '-qm', 'by hand');
  expect(await landCommit({ trunk, found: {} } as never, lane, { oid, parent, task: '1' })).toBe(false);
  await finishFollow(trunk);
  expect(await made.temp.read('mine')).toBe('mine\n');
  rmSync(folder, { recursive: true });
});
