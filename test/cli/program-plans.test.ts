// Which plan a word means, from wherever it is said.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { namePlans } from '../../src/cli/program.ts';
import { makeRunFolder } from '../../src/journal/folder.ts';
import { Journal } from '../../src/journal/journal.ts';
import { fact } from '../helpers/facts.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  for (const name of ['2026-01-02-compound.md', 'compass.md', 'login.md', 'login-form.md', 'README.md'])
    world.write(`docs/plans/${name}`, '# Plan\n');
  world.write('specs/1/tasks.md', '# Plan\n');
  makeRun('docs/plans/gone.md');
});
afterEach(() => world[Symbol.dispose]());

function makeRun(plan: string) {
  const { run, folder } = makeRunFolder(path.join(world.cwd, '.git'), new Date(0), 'gone');
  const journal = new Journal(folder);
  journal.append(fact('run-started', { plan, run }), new Date(0));
  journal.close();
}

function specOf(name: string): CommandSpec {
  const spec = commands.find((each) => each.name === name);
  if (!spec) throw new Error(name);
  return spec;
}

function named(folder: string, ...args: readonly string[]) {
  const cwd = path.join(world.cwd, folder);
  mkdirSync(cwd, { recursive: true });
  return namePlans(world.context({ cwd }), { spec: specOf('run'), args, options: {} }).then(
    (words) => words.args,
  );
}

test.each<[what: string, from: string, word: string, meant: string]>([
  ['a path from here', '', 'docs/plans/login.md', 'docs/plans/login.md'],
  ['a path from here, below the root', 'docs', 'plans/login.md', 'plans/login.md'],
  ['a path from the root', 'docs', 'docs/plans/login.md', 'plans/login.md'],
  ['a path from the root, from a far folder', 'src/deep', 'specs/1/tasks.md', '../../specs/1/tasks.md'],
  ['a name', '', 'login.md', 'docs/plans/login.md'],
  ['a name without its ending, though others begin so', '', 'login', 'docs/plans/login.md'],
  ['a name without its day', '', 'compound', 'docs/plans/2026-01-02-compound.md'],
  ['a part of only one name', 'src', 'FORM', '../docs/plans/login-form.md'],
  ['the plan of a run that is not there any more', 'src', 'gone', '../docs/plans/gone.md'],
  ['the same by its path', 'src', 'docs/plans/gone.md', '../docs/plans/gone.md'],
  ['nothing that is known', 'src', 'nowhere.md', 'nowhere.md'],
  ['a slip', '', 'logni', 'logni'],
  ['a sign is no part of a name', '', '-', '-'],
  ['a path is no part of a name', '', 'plans/nowhere', 'plans/nowhere'],
])('%s', async (_what, from, word, meant) => {
  expect(await named(from, word)).toEqual([meant]);
});

test('a plan behind a link is one, though runs know it by where the link leads', async () => {
  const real = world.write('elsewhere/night.md', '# Plan\n');
  symlinkSync(real, path.join(world.cwd, 'docs/plans/night.md'));
  makeRun(realpathSync(real));
  expect(await named('', 'night')).toEqual(['docs/plans/night.md']);
});

test('several that are meant equally are listed, as they can be typed', async () => {
  await expect(named('src', 'comp')).rejects.toMatchObject({
    code: 'usage',
    message: 'comp may be 2 plans',
    hint: '../docs/plans/2026-01-02-compound.md\n../docs/plans/compass.md',
  });
});

test.each<[string, string[], Record<string, unknown>, object]>([
  ['pause', ['form'], {}, { args: ['docs/plans/login-form.md'], options: {} }],
  ['steer', ['form'], { plan: 'form' }, { args: ['form'], options: { plan: 'docs/plans/login-form.md' } }],
  ['answer', ['1', 'form'], {}, { args: ['1', 'form'], options: {} }],
  ['logs', ['19700101'], {}, { args: ['19700101'], options: {} }],
  ['stats', ['19700101', 'login'], {}, { args: ['19700101', 'docs/plans/login.md'], options: {} }],
])('%s %j %j: only what stands for a plan is one', async (name, args, options, meant) => {
  expect(await namePlans(world.context(), { spec: specOf(name), args, options })).toMatchObject(meant);
});
