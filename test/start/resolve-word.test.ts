// What a word for a plan or a run means, from wherever it is said.
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { namePlans } from '../../src/cli/program.ts';
import { readStatusLine } from '../../src/cli/read-status-line.ts';
import { findRuns, needPlace } from '../../src/start/find-run.ts';
import { eachWorld } from '../cli/world.ts';
import { writeRun } from '../helpers/write-run.ts';

const world = eachWorld({ git: true });
/** Ids of the runs of gone.md and of login.md, the older first. */
let gone: string;
let login: readonly string[];
beforeEach(() => {
  for (const name of ['2026-01-02-compound.md', 'compass.md', 'login.md', 'login-form.md', 'README.md'])
    world.write(`docs/plans/${name}`, '# Plan\n');
  world.write('specs/1/tasks.md', '# Plan\n');
  gone = makeRun('docs/plans/gone.md', 1);
  login = [2, 3].map((hour) => makeRun('docs/plans/login.md', hour));
  world.write('docs/plans/completed/gone.md', '# Plan\n');
});

function makeRun(plan: string, hour: number): string {
  const at = new Date(Date.UTC(2026, 0, 1, hour));
  return writeRun(path.join(world.cwd, '.git'), { at, plan }).run;
}

function specOf(name: string): CommandSpec {
  const spec = commands.find((each) => each.name === name);
  if (!spec) throw new Error(name);
  return spec;
}

function contextIn(folder: string) {
  const cwd = path.join(world.cwd, folder);
  mkdirSync(cwd, { recursive: true });
  return world.context({ cwd });
}

const planNamed = (folder: string, word: string) =>
  namePlans(contextIn(folder), { spec: specOf('run'), args: [word], options: {} }).then(
    ({ args }) => args[0],
  );

function runsNamed(folder: string, word: string): readonly string[] {
  const context = contextIn(folder);
  return findRuns(context, needPlace(context), word).map(({ run }) => run);
}

type Known = 'gone' | 'login' | 'none';

const idsOf = (known: Known) => ({ gone: [gone], login: login.toReversed(), none: [] })[known];

test.each<[what: string, from: string, word: string, plan: string, runs: Known]>([
  ['a path from here', '', 'docs/plans/login.md', 'docs/plans/login.md', 'login'],
  ['a path from here, below the root', 'docs', 'plans/login.md', 'plans/login.md', 'login'],
  ['a path from the root', 'docs', 'docs/plans/login.md', 'plans/login.md', 'login'],
  ['the same from afar', 'src/deep', 'specs/1/tasks.md', '../../specs/1/tasks.md', 'none'],
  ['a name', '', 'login.md', 'docs/plans/login.md', 'login'],
  ['a name without its ending, though others begin so', '', 'login', 'docs/plans/login.md', 'login'],
  ['a name without its day', '', 'compound', 'docs/plans/2026-01-02-compound.md', 'none'],
  ['a part of only one name', 'src', 'FORM', '../docs/plans/login-form.md', 'none'],
  ['the plan of a run that is not there any more', 'src', 'gone', '../docs/plans/gone.md', 'gone'],
  ['the same by its path', 'src', 'docs/plans/gone.md', '../docs/plans/gone.md', 'gone'],
  ['where that plan is now', '', 'docs/plans/completed/gone.md', 'docs/plans/completed/gone.md', 'gone'],
  ['a path from another folder', 'src', 'plans/gone.md', 'plans/gone.md', 'gone'],
  ['nothing that is known', 'src', 'nowhere.md', 'nowhere.md', 'none'],
  ['a slip', '', 'logni', 'logni', 'none'],
  ['a sign is no part of a name', '', '-', '-', 'none'],
  ['a path is no part of a name', '', 'plans/nowhere', 'plans/nowhere', 'none'],
])('%s', async (_what, from, word, plan, runs) => {
  expect(await planNamed(from, word)).toBe(plan);
  expect(runsNamed(from, word)).toEqual(idsOf(runs));
});

test('a plan that never ran is not another of its file’s name', () => {
  const run = makeRun('specs/1/tasks.md', 4);
  world.write('specs/2/tasks.md', '# Plan\n');
  expect(runsNamed('', 'specs/1/tasks.md')).toEqual([run]);
  expect(runsNamed('', 'specs/2/tasks.md')).toEqual([]);
});

test('an id is a run, or the plan of that run; so is the beginning of only one', async () => {
  for (const [at, id] of login.entries())
    for (const word of [id, id.slice(0, 11)]) {
      expect(await planNamed('src', word)).toBe('../docs/plans/login.md');
      expect(runsNamed('src', word)).toEqual([login[at]]);
    }
});

test('a journal that is a link, or may be a pipe, is not read for a name', async () => {
  const runs = path.join(world.cwd, '.git/pawl/runs');
  mkdirSync(path.join(runs, 'own'));
  const journal = path.join(runs, login[0] ?? '', 'journal.ndjson');
  symlinkSync(journal, path.join(runs, 'own/journal.ndjson'));
  expect(await planNamed('src', 'own')).toBe('own');
});

test('the status line knows the same words, and is empty for others', () => {
  const now = new Date(Date.UTC(2026, 0, 2));
  const whole = readStatusLine(world.cwd, now, login[1]);
  expect(whole).not.toBe('');
  expect(readStatusLine(path.join(world.cwd, 'docs'), now, 'plans/login.md')).toBe(whole);
  expect(readStatusLine(world.cwd, now, 'comp')).toBe('');
  expect(readStatusLine(world.cwd, now, 'nowhere')).toBe('');
});

test('a review that names no plan of its own is a run by its id, and no plan', async () => {
  const at = new Date(Date.UTC(2026, 0, 1, 4));
  const review = { base: 'x', reportOnly: false };
  const { run } = writeRun(path.join(world.cwd, '.git'), { at, plan: 'review.md', review });
  expect(runsNamed('', run)).toEqual([run]);
  expect(await planNamed('', run)).toBe(run);
});

test('a plan behind a link is one, though runs know it by where the link leads', async () => {
  const real = world.write('elsewhere/night.md', '# Plan\n');
  symlinkSync(real, path.join(world.cwd, 'docs/plans/night.md'));
  const run = makeRun(realpathSync(real), 4);
  expect(await planNamed('', 'night')).toBe('docs/plans/night.md');
  expect(runsNamed('', 'night')).toEqual([run]);
});

test('several that are meant equally are listed, as they can be typed', async () => {
  const plans = {
    code: 'usage',
    message: 'comp may be 2 plans',
    hint: '../docs/plans/2026-01-02-compound.md\n../docs/plans/compass.md',
  };
  await expect(planNamed('src', 'comp')).rejects.toMatchObject(plans);
  expect(() => runsNamed('src', 'comp')).toThrow(expect.objectContaining(plans));
  expect(() => runsNamed('', '20260101')).toThrow(
    expect.objectContaining({ code: 'usage', hint: [...login.toReversed(), gone].join('\n') }),
  );
});

test.each<[string, string[], Record<string, unknown>, object]>([
  ['pause', ['form'], {}, { args: ['form'], options: {} }],
  ['review', [], { plan: 'form' }, { args: [], options: { plan: 'docs/plans/login-form.md' } }],
  ['answer', ['1', 'form'], { run: 'form' }, { args: ['1', 'form'], options: { run: 'form' } }],
  ['lint', ['login', 'form'], {}, { args: ['docs/plans/login.md', 'docs/plans/login-form.md'], options: {} }],
])('%s %j %j: a path replaces only what stands for a plan', async (name, args, options, meant) => {
  expect(await namePlans(world.context(), { spec: specOf(name), args, options })).toMatchObject(meant);
});

test('whatever is called a plan or a run says which of them it names', () => {
  const isCalled = (text: string) => /[<[](?:plan|run)\b/.test(text);
  const words = commands.flatMap(({ name, args, options }) => [
    ...args.map((each) => ({ ...each, is: `${name} ${each.name}`, text: each.name })),
    ...options.map((each) => ({ ...each, is: `${name} ${each.flags}`, text: each.flags })),
  ]);
  const without = words.filter(({ text, names }) => isCalled(text) !== (names !== undefined));
  // One is on a remote, the other in a fleet's database.
  expect(without.map(({ is }) => is)).toEqual(['fleet take <run>', 'fleet [run]']);
});
