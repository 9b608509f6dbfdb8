// The code files that commands call, by table over small repositories.
import { describe, expect, it } from 'vitest';
import { findCalled } from '../../src/check/called-files.ts';

type Files = Readonly<Record<string, string>>;

const files = (command: string, tree: Files, cwd = '.') =>
  [...findCalled(command, cwd, (file) => (Object.hasOwn(tree, file) ? tree[file] : undefined)).files].sort();

const scripts = (all: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: all });

describe('a script of package.json, and what it runs', () => {
  const tree = { 'package.json': scripts({ test: 'sh check.sh' }), 'check.sh': 'x' };
  it.each([
    'npm test',
    'npm t',
    'npm run test',
    'npm run-script test -- --reporter dot',
    'npm --silent test',
    'pnpm test',
    'yarn test',
    'bun run test',
    'node --run test',
    'CI=1 FOO="a b" npm test',
    'timeout -k 5 1m npm test',
    'env -u X A=1 npm test',
    'nice -n 5 nohup npm test',
    'npm test 2>&1 | tee log',
    'npm test && echo ok',
    '(npm test)',
    '! npm test',
    'if npm test; then echo; fi',
    'for i in 1 2; do npm test; done',
    'echo "$(npm test)"; npm test',
    'echo `npm test`',
    `sh -c 'npm test'`,
    `bash -euc "npm test"`,
    'set -e\n# all of it\nnpm \\\n  test\n',
    'npx cross-env A=1 npm test',
    'npx concurrently "npm:test" "echo x"',
    'npm-run-all test',
    'run-p "te*"',
    'xvfb-run -a npm test',
    'time npm test',
    'eval "npm test"',
    '/usr/bin/npm test',
    '{ npm test; }',
    'nyc npm test',
  ])('%s', (command) => expect(files(command, tree)).toEqual(['check.sh']));

  it.each<[string, string, Files, readonly string[]]>([
    [
      'with pre and post',
      'npm test',
      {
        'package.json': scripts({ pretest: 'node a.mjs', test: 'x', posttest: './b.sh' }),
        'a.mjs': '',
        'b.sh': '',
      },
      ['a.mjs', 'b.sh'],
    ],
    [
      'round in circles',
      'npm test',
      { 'package.json': scripts({ test: 'npm run unit', unit: 'yarn test && node a.mjs' }), 'a.mjs': '' },
      ['a.mjs'],
    ],
    [
      'of another folder',
      'npm --prefix web test',
      { 'web/package.json': scripts({ test: 'sh c.sh' }), 'web/c.sh': '' },
      ['web/c.sh'],
    ],
    [
      'after a cd',
      'cd web && npm test',
      { 'web/package.json': scripts({ test: 'sh c.sh' }), 'web/c.sh': '' },
      ['web/c.sh'],
    ],
    [
      'but no other',
      'npm test',
      { 'package.json': scripts({ test: 'x', build: 'sh b.sh' }), 'b.sh': '' },
      [],
    ],
  ])('%s', (_, command, tree, found) => expect(files(command, tree)).toEqual(found));
});

const make =
  'RUN = sh\nall: x\ntest: build\n\t@$(RUN) check.sh\nbuild:\n\tpython3 gen.py\nother:\n\tsh other.sh\n';
const names =
  'check.sh gen.py other.sh run.mjs lib/all.sh test/a.test.js tests/test_a.py tool.py notes.md'.split(' ');
const code = Object.fromEntries(names.map((name) => [name, '']));
it.each<[string, Files, readonly string[]]>([
  ['make test', { Makefile: make, ...code }, ['check.sh', 'gen.py']],
  ['make -C sub test', { 'sub/Makefile': 'test:\n\tsh c.sh\n', 'sub/c.sh': '' }, ['sub/c.sh']],
  ['make', { Makefile: 'test:\n\tsh check.sh\n', ...code }, ['check.sh']],
  [
    'make test',
    { Makefile: 'include more.mk\ntest:\n\t$(X)\n', 'more.mk': 'lint:\n\tsh other.sh\n', ...code },
    ['other.sh'],
  ],
  [
    'just test',
    { justfile: 'test: build\n  sh check.sh\nbuild:\n  python3 gen.py\n', ...code },
    ['check.sh', 'gen.py'],
  ],
  [
    'task test',
    { 'Taskfile.yml': 'tasks:\n  test:\n    cmds:\n      - sh check.sh\n', ...code },
    ['check.sh'],
  ],
])('%s', (command, tree, found) => expect(files(command, tree)).toEqual(found));

it.each<[string, readonly string[]]>([
  ['sh check.sh', ['check.sh']],
  ['./check.sh && node run.mjs', ['check.sh', 'run.mjs']],
  ['bash < check.sh', ['check.sh']],
  ['. ./check.sh', ['check.sh']],
  ['node --import ./run.mjs --test test/a.test.js', ['run.mjs']],
  ['python3 -m tool', ['tool.py']],
  ['python3 -m pytest tests/test_a.py', []],
  ['grep -q x notes.md check.sh', []],
  ['uv run python tool.py', ['tool.py']],
  ['sh "$DIR/check.sh"', []],
  [`node -e "import('./run.mjs')"`, []],
])('%s', (command, found) => expect(files(command, code)).toEqual(found));

it('that a shell script runs or sources, from its own folder too', () => {
  const tree = {
    'check.sh': '. "$(dirname "$0")/lib/all.sh"\nsh lib/more.sh\n',
    'lib/all.sh': 'node run.mjs\n',
    'lib/more.sh': '',
    'run.mjs': '',
  };
  expect(files('sh check.sh', tree)).toEqual(['check.sh', 'lib/all.sh', 'lib/more.sh', 'run.mjs']);
});
