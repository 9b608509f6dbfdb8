import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { importPlan } from '../../src/cli/import.ts';
import { eachWorld } from './world.ts';

const world = eachWorld();

const body = '- [ ] Mend it, `npm test` is green\n';
const written = (file: string) => readFileSync(path.join(world.cwd, file), 'utf8');

test('a saved body is printed as a plan; its commands are told, and no check is made of them', async () => {
  world.write('body.md', body);
  const { exit, stdout, stderr } = await world.run(importPlan, {}, ['body.md']);
  expect(exit).toBe(0);
  expect(stdout).toBe(
    '# Plan: body\n\n## Overview\n\n### Task 1: Mend it, `npm test` is green\n\n- [ ] Mend it, `npm test` is green\n',
  );
  expect(stderr).toBe(
    '- task 1 names `npm test`: it becomes a check only with --checks, or if you write it into the plan\n1 task. The text is not yours: read it before you run it.\n',
  );
});

test('--checks takes them; -o writes a new file, and no other', async () => {
  world.write('body.md', body);
  const { stdout } = await world.run(importPlan, { output: 'docs/plans/a.md', checks: true }, ['body.md']);
  expect(stdout).toBe('docs/plans/a.md\n');
  expect(written('docs/plans/a.md')).toContain('\n- check: `npm test`\n- [ ] Mend it');
  const again = world.run(importPlan, { output: 'docs/plans/a.md' }, ['body.md']);
  await expect(again).rejects.toThrow('docs/plans/a.md already exists and is not overwritten');
});

test('stdin is a file as well', async () => {
  const stdin = Readable.from([JSON.stringify({ title: 'T', body })]);
  const { stdout } = await world.run(importPlan, {}, ['-'], { stdin });
  expect(stdout).toContain('# Plan: T\n');
});

test('Ctrl-C ends the wait for stdin', async () => {
  const stdin = new Readable({ read: () => {} });
  const ctrlC = new AbortController();
  const waits = world.run(importPlan, {}, ['-'], { stdin, signal: ctrlC.signal });
  ctrlC.abort();
  await expect(waits).rejects.toThrow('aborted');
});

test('an issue comes by gh', async () => {
  world.program(
    'gh',
    `echo "$@" > asked; echo '${JSON.stringify({ number: 5, title: 'T', url: 'u', body: '- [ ] a' })}'`,
  );
  const { stdout } = await world.run(importPlan, { issue: 5 });
  expect(written('asked')).toBe('issue view 5 --json number,title,body,url\n');
  expect(stdout).toContain('# Plan: T\n\n## Overview\n\n> From u:\n\n### Task 1: a\n');
});

test.each([
  ['gh fails', 'echo "no such issue" >&2; exit 1', /gh could not read issue 5: no such issue/],
  ['there is no gh', undefined, /gh could not read issue 5: .*gh was not found/],
])('%s', async (_, script, says) => {
  if (script !== undefined) world.program('gh', script);
  // Some machines have one.
  const env = { ...world.context().env, ...(script === undefined ? { PATH: world.bin } : {}) };
  await expect(world.run(importPlan, { issue: 5 }, [], { env })).rejects.toThrow(says);
});

test.each([
  ['nothing named', {}, [], /name one file/],
  ['both', { issue: 5 }, ['a'], /^a and --issue: a plan is made from one of them/],
  ['no such file', {}, ['none.json'], /none.json cannot be read/],
])('refused: %s', async (_, options, args, says) => {
  await expect(world.run(importPlan, options, args)).rejects.toThrow(says);
});
