// `pawl rescue` on a repository with two saved states of a run made by hand.
import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { type RescueCommandOptions, rescueCommand } from '../../src/cli/rescue.ts';
import { type RescueOptions, saveRescue } from '../../src/git/rescue/rescue.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { openTemp } from '../git/open.ts';
import { eachTest } from '../helpers/each-test.ts';
import { writeRun } from '../helpers/write-run.ts';
import { eachWorld } from './world.ts';

const world = eachWorld();
let run: string;
let folder: string;

const begun = new Date('2026-01-02T03:00:00Z');
const later = new Date('2026-02-02T03:00:00Z');
const big = 'x'.repeat(11 * 1024 * 1024);

const made = eachTest(() =>
  openTemp({
    files: { 'a.ts': 'top\n', 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'src/[id].ts': 'id\n' },
  }),
);

beforeEach(async () => {
  ({ run, folder } = writeRun(made.repo.commonDir, { at: begun, plan: 'plan.md' }));
  const options = (reason: string): RescueOptions => ({
    run,
    reason,
    index: `${folder}/index.rescue`,
  });
  await saveRescue(made.repo, options('before task 1'));
  await made.temp.write('src/a.ts', 'changed\n');
  await made.temp.write('new.ts', 'new\n');
  await made.temp.write('big.bin', big);
  await saveRescue(made.repo, options('before task 2'));
});

const rescue = (args: readonly string[], options: RescueCommandOptions = {}, folderIn = '') =>
  world.run(rescueCommand, options, args, {
    cwd: folderIn === '' ? made.temp.path : `${made.temp.path}/${folderIn}`,
    env: { ...world.context().env, GIT_CONFIG_NOSYSTEM: '1' },
  });

describe('list and show', () => {
  test('the points of the newest run, the oldest first', async () => {
    const { exit, stdout } = await rescue([]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`run ${run}`);
    expect(stdout).toMatch(
      / 1 .*before task 1 \(main .*\n.* 2 .*before task 2 \(main \w{10}; 1 file not held\)/,
    );
  });

  test('a point’s files against its commit, and what it does not hold', async () => {
    const { stdout } = await rescue(['show', '2']);
    expect(stdout).toMatch(/added +\+1 -0 {2}new\.ts/);
    expect(stdout).toMatch(/modified +\+1 -1 {2}src\/a\.ts/);
    expect(stdout).toContain('not held  big.bin: 11.0 MB, too big to copy');
    expect(stdout).toContain('Of ignored files only those named .env* are held.');
    expect((await rescue(['show', '1'])).stdout).toContain('No file differs');
  });

  test('a run without points says so, and names the runs that have some', async () => {
    const other = writeRun(made.repo.commonDir, { at: later });
    const { stdout } = await rescue([]);
    expect(stdout).toContain(`Run ${other.run} has no saved states.`);
    expect(stdout).toContain(`(--run): ${run}`);
    expect((await rescue([], { run })).stdout).toContain('before task 1');
  });
});

describe('restore', () => {
  test('all files of a point are back, each named, and what stood there is saved first', async () => {
    await made.temp.write('src/a.ts', 'later\n');
    await made.temp.write('src/b.ts', 'later\n');
    await made.temp.write('mine.txt', 'mine\n');
    const { exit, stdout } = await rescue(['restore', '2']);
    expect(exit).toBe(0);
    expect(stdout).toContain('restored  src/a.ts\nrestored  src/b.ts\n');
    expect(stdout).toContain('not held  big.bin');
    expect(stdout).toContain('pawl run --take-edits plan.md');
    expect(await made.temp.read('src/a.ts')).toBe('changed\n');
    expect(await made.temp.read('src/b.ts')).toBe('b\n');
    expect(await made.temp.read('mine.txt')).toBe('mine\n');
    const saved = /pawl rescue restore (\w+)/.exec(stdout)?.[1] ?? '';
    expect(await made.temp.git('show', `${saved}:src/b.ts`)).toBe('later');
    expect(readJournal(folder).at(-1)).toMatchObject({ type: 'intervention', kind: 'hand-edit' });
  });

  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['src', ['a.ts'], ['src/a.ts']],
    ['src', ['src/a.ts'], ['src/a.ts']],
    ['', ['a.ts'], ['a.ts']],
    ['', ['src/[id].ts'], ['src/[id].ts']],
    ['src', ['*.ts'], ['src/[id].ts', 'src/a.ts', 'src/b.ts']],
    ['', ['src'], ['src/[id].ts', 'src/a.ts', 'src/b.ts']],
    ['src', ['../a.ts', 'b.ts'], ['a.ts', 'src/b.ts']],
    ['', ['.'], ['a.ts', 'src/[id].ts', 'src/a.ts', 'src/b.ts']],
  ];
  test('only what is named, from the folder it is named in', async () => {
    const all = ['a.ts', 'src/a.ts', 'src/b.ts', 'src/[id].ts'];
    for (const [where, names, expected] of rows) {
      for (const file of all) await made.temp.write(file, 'later\n');
      const { stdout } = await rescue(['restore', '1', ...names], {}, where);
      expect(stdout.match(/(?<=^restored {2}).*/gm), `${names}`).toEqual(expected);
      for (const file of all)
        expect((await made.temp.read(file)) === 'later\n', file).toBe(!expected.includes(file));
    }
  });

  test('a run that a newer one replaced is not offered to be continued', async () => {
    writeRun(made.repo.commonDir, { at: later, plan: 'plan.md' });
    const { stdout } = await rescue(['restore', '1'], { run });
    expect(stdout).toMatch(/^restored {2}/m);
    expect(stdout).not.toContain('To continue');
  });

  test('nothing differs: said, and not journaled', async () => {
    const before = readJournal(folder).length;
    expect((await rescue(['restore', '2'])).stdout).toMatch(/^Nothing differs/);
    expect(readJournal(folder)).toHaveLength(before);
  });

  test('what is not there is refused', async () => {
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [['restore', '7'], /no rescue point 7/],
      [['restore'], /which saved state/],
      [['restore', '2', 'nope.ts'], /does not hold nope\.ts/],
      [['restore', '2', 'big.bin'], /does not hold big\.bin/],
    ];
    for (const [args, says] of refused)
      await expect(rescue(args)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(says),
      });
  });

  test('never beside a live pawl', async () => {
    using _lock = acquireLock(made.repo.gitDir, run, begun);
    await made.temp.write('src/a.ts', 'later\n');
    await expect(rescue(['restore', '2'])).rejects.toMatchObject({ code: 'locked' });
    expect(await made.temp.read('src/a.ts')).toBe('later\n');
  });
});

test('what a run saved outlasts its folder', async () => {
  rmSync(folder, { recursive: true });
  expect((await rescue([], { run })).stdout).toContain(`Saved states of run ${run}`);
  expect((await rescue(['show', '2'], { run })).stdout).toContain('new.ts');
  await made.temp.write('src/a.ts', 'lost\n');
  const { exit, stdout } = await rescue(['restore', '2', 'src/a.ts'], { run });
  expect(stdout).toMatch(/^restored {2}src\/a\.ts\n/);
  expect(exit).toBe(0);
  expect(await made.temp.read('src/a.ts')).toBe('changed\n');
  await expect(rescue([], { run: 'no-such-run' })).rejects.toThrow('no-such-run');
});
