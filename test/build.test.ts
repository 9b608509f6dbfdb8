import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from './cli/world.ts';

// Built into a folder that has no node_modules above it: what is not bundled is not found.
const root = path.resolve(import.meta.dirname, '..');

let world: World;
let dist: string;

beforeAll(() => {
  world = makeWorld();
  dist = path.join(world.top, 'dist');
  const tsdown = path.join(root, 'node_modules/.bin/tsdown');
  execFileSync(tsdown, ['--config', 'test/tsdown.config.ts', '--out-dir', dist], {
    cwd: root,
    stdio: 'pipe',
  });
  copyFileSync(path.join(root, 'package.json'), path.join(world.top, 'package.json'));
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  world.write('p.md', '# Plan: P\n\n### Task 1: a\n- check: `false`\n- [ ] b\n');
}, 60_000);
afterAll(() => world[Symbol.dispose]());

function pawl(...words: string[]) {
  const fleet = { PAWL_FLEET_URL: 'postgres://localhost/none' };
  const env = { ...world.context().env, ...fleet, NODE_COMPILE_CACHE: path.join(world.top, 'cache') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(dist, 'pawl.js'), ...words], {
    cwd: world.cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('every program of pawl’s is there under its own name', () => {
  expect(readdirSync(dist)).toEqual([
    'THIRD-PARTY.md',
    'chunks',
    'demo-agent.js',
    'main.js',
    'pawl.1',
    'pawl.js',
    'run-watchdog.js',
    'tunnel.mjs',
    'web',
  ]);
  expect(readdirSync(path.join(dist, 'web'))).toEqual(['icon.png', 'icon.svg', 'page.css', 'page.js']);
});

test('tunnel.mjs, mounted into a sandbox, is one file that needs only Node', () => {
  const code = readFileSync(path.join(dist, 'tunnel.mjs'), 'utf8');
  const imports = [...code.matchAll(/\bfrom\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g)].map(
    (match) => match[1],
  );
  expect(imports.length).toBeGreaterThan(0);
  for (const name of imports) expect(name).toMatch(/^node:/);
});

test.each<[string[], object]>([
  [['--version'], { status: 0 }],
  [['--help'], { status: 0 }],
  [['lint', 'p.md'], { status: 0, stderr: 'p.md: fine\n' }],
  [['config', 'schema'], { status: 0 }],
  [['config', '--origin'], { status: 0 }],
  [['trust'], { status: 0 }],
  [['complete', '--', 'li'], { status: 0, stdout: expect.stringContaining('lint') }],
  [['completions', 'fish'], { status: 0 }],
  [['doctor'], { status: 2 }],
  [['init', '--yes'], { status: 0 }],
  [['run', 'p.md', '--dry-run'], { stderr: expect.not.stringContaining('ERR_MODULE') }],
  [['status'], { stderr: expect.not.stringContaining('ERR_MODULE') }],
  [['fleet'], { status: 8, stderr: expect.stringContaining('does not answer') }],
  [['status', '--line'], { status: 0, stdout: '', stderr: '' }],
])('%j works without node_modules', (words, wanted) => {
  const got = pawl(...words);
  expect(got).toMatchObject(wanted);
  expect(got.status, got.stderr).not.toBe(70);
});

test('the door’s syntax stays old: it must refuse an old Node in words', () => {
  const code = readFileSync(path.join(dist, 'pawl.js'), 'utf8')
    .replace(/^(#!|\s*\/\/).*$/gm, '')
    .replace(/(['"])(?:(?!\1).)*\1/g, "''");
  expect(code).not.toMatch(/=>|`|\b(const|let|class|async|await|export)\b|\?\.|\?\?|^import /m);
});

const quick = [[['--help']], [['status', '--line']], [['status', 'login', '--line']]];

test.each(quick)('%j loads no room', (words) => {
  const traced = spawnSync(process.execPath, ['--import', tracer, path.join(dist, 'pawl.js'), ...words], {
    encoding: 'utf8',
    cwd: world.cwd,
    env: world.context().env,
  });
  const loaded = traced.stderr
    .split('\n')
    .filter((line) => line.startsWith('loaded '))
    .map((line) => path.basename(line));
  expect(loaded.length).toBeGreaterThan(1);
  const bytes = loaded.map((file) =>
    readFileSync(
      path.join(dist, file.startsWith('main') || file.startsWith('pawl') ? file : `chunks/${file}`),
      'utf8',
    ),
  );
  for (const text of bytes) expect(text).not.toMatch(/node_modules\/(zod|yaml|remark-parse|execa|pino)\//);
});

test('what speaks OTLP or SMTP is loaded by nothing but a lazy import', () => {
  const files = [
    'main.js',
    'pawl.js',
    ...readdirSync(path.join(dist, 'chunks')).map((file) => `chunks/${file}`),
  ];
  const texts = files.map((file) => [file, readFileSync(path.join(dist, file), 'utf8')] as const);
  const speakers = texts.filter(([, text]) => /node_modules\/(?:@opentelemetry|nodemailer)\//.test(text));
  expect(speakers.length).toBeGreaterThanOrEqual(2);
  for (const [speaker] of speakers)
    for (const [file, text] of texts) {
      const imports = [...text.matchAll(/^import\b[^;]*["']([^"']+)["']/gm)].map(([, name = '']) =>
        path.basename(name),
      );
      if (!speakers.some(([other]) => other === file))
        expect(imports, file).not.toContain(path.basename(speaker));
    }
});

test('a run on the host loads nothing that speaks to the network', () => {
  const told = spawnSync(
    process.execPath,
    ['--import', teller, path.join(dist, 'pawl.js'), 'run', 'p.md', '--dry-run'],
    {
      encoding: 'utf8',
      cwd: world.cwd,
      env: world.context().env,
    },
  );
  const loaded = /^modules (.*)$/m.exec(told.stderr)?.[1]?.split(' ') ?? [];
  expect(loaded).toContain('child_process');
  expect(loaded.filter((name) => /^(https?|http2|tls|dns)(\/|$)/.test(name))).toEqual([]);
});

/** Tells at the end which of Node's own modules were loaded. */
const teller = `data:text/javascript,${encodeURIComponent(`
process.on('exit', () => {
  const names = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13));
  process.stderr.write('\\nmodules ' + names.join(' ') + '\\n');
});
`)}`;

const tracer = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) process.stderr.write('loaded ' + url + '\\n'); return next(url, context); } });
`)}`;
