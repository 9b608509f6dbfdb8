import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { eachWorld } from './world.ts';

const root = path.resolve(import.meta.dirname, '../..');

const world = eachWorld({ git: true });

type Options = { env?: Record<string, string>; file?: string };

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { ...world.context().env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '', ...more };
}

function pawl(words: readonly string[], { env = {}, file = builtFile('pawl') }: Options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    cwd: world.cwd,
    env: environment(env),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('--version is the package’s version and nothing else', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(pawl(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(pawl(['-V'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([['--version'], ['--help']])('%s into a full disk is told once and is no success', (word) => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [builtFile('pawl'), word], {
    cwd: world.cwd,
    env: environment(),
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    8,
    'pawl: cannot write the output: no space is left on the disk\n' +
      '      Free some space, then run the same command again; everything done so far is kept.\n',
  ]);
});

test('help is on stdout with exit 0; without a word it is a mistake', () => {
  expect(pawl(['--help'])).toMatchObject({ status: 0, stderr: '' });
  expect(pawl(['run', '--help']).stdout.indexOf('Examples')).toBeLessThan(
    pawl(['run', '--help']).stdout.indexOf('Options'),
  );
  expect(pawl([])).toMatchObject({ status: 2, stdout: '' });
});

test.each([
  [['lnt'], 2, "pawl: unknown command 'lnt'\n      Did you mean lint?\n"],
  [
    ['lint', 'nope.md'],
    2,
    'pawl: there is no plan nope.md\n      Name a markdown file by its path, or one in docs/plans/ by its name.\n',
  ],
])('%j exits %i', (words, status, stderr) => {
  expect(pawl(words)).toEqual({ status, stdout: '', stderr });
});

test('a failure names no secret', () => {
  const { stderr } = pawl(['lint', 'abcdefgh.md'], { env: { SOME_TOKEN: 'abcdefgh' } });
  expect(stderr).toMatch(/^pawl: there is no plan \[SOME_TOKEN\]\.md\n/);
});

test('colour is only where it is wanted', () => {
  const help = (env: Record<string, string>) => pawl(['--help'], { env }).stdout.includes('\u001b[');
  expect([help({}), help({ FORCE_COLOR: '1' }), help({ FORCE_COLOR: '1', NO_COLOR: '1' })]).toEqual([
    false,
    true,
    false,
  ]);
});

test('a session of pawl’s own may lint and look, nothing else', () => {
  world.write('p.md', '# Plan: P\n\n### Task 1: a\n- check: `false`\n- [ ] b\n');
  const env = { PAWL_SESSION: 'r/1' };
  expect(pawl(['lint', 'p.md'], { env }).status).toBe(0);
  expect(pawl(['--help'], { env }).status).toBe(0);
  for (const words of [['p.md'], ['trust', '--yes'], ['config'], ['undo', '1']]) {
    expect(pawl(words, { env }), words.join(' ')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must not be used by an agent that pawl itself started (r/1)'),
    });
  }
});

test('nor does a check or hook of pawl’s own steer a run', () => {
  const env = { PAWL_CHECK: 'r/1' };
  expect(pawl(['status', '--help'], { env }).status).toBe(0);
  for (const words of [['stop'], ['pause'], ['steer', 'x'], ['skip'], ['set', 'budget', '1']]) {
    expect(pawl(words, { env }), words.join(' ')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must not be used by a check or hook that pawl itself started (r/1)'),
    });
  }
});

test('a bug says where, with its stack, and exits 70', () => {
  const broken = path.join(world.top, 'broken.mjs');
  // The context is made from the process: one that lies is the cheapest bug.
  const lie = `Object.defineProperty(process.stdout, 'columns', { get() { throw new TypeError('planted'); } });`;
  writeFileSync(broken, `${lie}\nawait import(${JSON.stringify(pathToFileURL(builtFile('pawl')).href)});\n`);
  const { status, stderr } = pawl(['--help'], { file: broken });
  expect(status).toBe(70);
  expect(stderr).toMatch(
    /TypeError: planted\n {4}at [\s\S]*\npawl: this is a bug in pawl \(pawl \d+\.\d+\.\d+, Node /,
  );
});

test('who closes the pipe has seen enough: no word, no failure', async () => {
  const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(builtFile('pawl'))} config --origin; echo "exit $?" >&2`;
  const { stderr } = spawnSync('bash', ['-c', `{ ${script}; } | true`], {
    cwd: world.cwd,
    env: environment(),
    encoding: 'utf8',
  });
  expect(stderr).toBe('exit 0\n');
});

const ended = (child: ChildProcess) => new Promise<number | null>((done) => child.once('exit', done));

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a command that only looks, with %i; SIGHUP does without a terminal, as under nohup, not',
  async (signal, exit) => {
    world.program('claude', 'exec sleep 30');
    // A doctor whose agent never answers.
    const collecting = ['--expose-gc', '--import', 'data:text/javascript,setInterval(gc, 20).unref()'];
    const child = spawn(process.execPath, [...collecting, builtFile('pawl'), 'doctor'], {
      cwd: world.cwd,
      env: environment(),
      stdio: 'ignore',
    });
    await untilRunning('sleep 30', child);
    child.kill('SIGHUP');
    await new Promise((done) => setTimeout(done, 100));
    child.kill(signal);
    expect(await ended(child)).toBe(exit);
  },
);

test('a command that winds down is ended by the second signal, but not by an echo of the first', async () => {
  world.write('p.md', '# Plan: P\n\n### Task 1: a\n- check: `trap "" TERM; exec sleep 29`\n- [ ] b\n');
  spawnSync('git', ['init', '-q'], { cwd: world.cwd });
  const options = { cwd: world.cwd, env: environment(), stdio: 'ignore' } as const;
  spawnSync(process.execPath, [builtFile('pawl'), 'trust', '--yes'], options);
  const child = spawn(process.execPath, [builtFile('pawl'), 'lint', '--run-checks', 'p.md'], options);
  await untilRunning('sleep 29', child);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGTERM'), 30);
  const first = await Promise.race([
    ended(child),
    new Promise((done) => setTimeout(done, 300, 'still there')),
  ]);
  expect(first).toBe('still there');
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(143);
});

async function untilRunning(command: string, parent: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { stdout } = spawnSync('ps', ['--ppid', String(parent.pid), '-o', 'args='], { encoding: 'utf8' });
    if (stdout.includes(command)) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`${command} never ran`);
}
