// What commands name, by table over small repositories, and which changes to it count.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedDefinitions,
  type Definition,
  mergeDefinitions,
  namedByCheck,
} from '../../src/check/definition.ts';
import { matchesAny } from '../../src/git/tree/glob.ts';

type Files = Readonly<Record<string, string>>;

const readerOf =
  (files: Files) =>
  (file: string): string | undefined =>
    Object.hasOwn(files, file) ? files[file] : undefined;

/** `file` or `file#key` of each definition, in order of names. */
function name(command: string, files: Files, cwd = '.'): readonly string[] {
  return namedByCheck(command, cwd, readerOf(files))
    .map(({ file, key }) => (key === undefined ? file : `${file}#${key}`))
    .sort();
}

const scripts = (all: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ scripts: all, ...more });
const testScript = { 'package.json': scripts({ test: 'vitest run' }) };
const test = ['package.json#scripts.test'];

describe('package scripts', () => {
  it.each<[string]>([
    ['npm test'],
    ['npm t'],
    ['npm tst'],
    ['npm run test'],
    ['npm run-script test'],
    ['npm run test -- --reporter dot'],
    ['npm --silent test'],
    ['npm test --if-present'],
    ['pnpm test'],
    ['pnpm run test'],
    ['yarn test'],
    ['yarn run test'],
    ['bun run test'],
    ['node --run test'],
    ['CI=1 FOO="a b" npm test'],
    ['timeout 60 npm test'],
    ['timeout -k 5 --signal=KILL 1m npm test'],
    ['env -u X A=1 npm test'],
    ['nice -n 5 nohup npm test'],
    ['npm test | tee log'],
    ['npm test 2>&1'],
    ['npm test > log 2>&1'],
    ['npm test && echo ok'],
    ['(npm test)'],
    ['! npm test'],
    ['if npm test; then echo; fi'],
    ['for i in 1 2; do npm test; done'],
    ['echo "$(npm test)"'],
    ['echo `npm test`'],
    [`sh -c 'npm test'`],
    [`bash -euc "npm test"`],
    [`bash -e -o pipefail -c 'npm test'`],
    ['bash <<EOF\nnpm test\nEOF'],
    [`bash <<< 'npm test'`],
    ['set -e\n# all of it\nnpm \\\n  test\n'],
    ['npx cross-env A=1 npm test'],
    ['cross-env A=1 npm test'],
    ['npx concurrently "npm:test" "echo x"'],
    ['npm-run-all test'],
    ['run-s test'],
    ['run-p "te*"'],
    ['xvfb-run -a npm test'],
    ['time npm test'],
    ['eval "npm test"'],
    ['find . -name x -exec npm test ;'],
    ['npm --prefix . test'],
    ['dotenv -e .env -- npm test'],
    ['/usr/bin/npm test'],
    ['{ npm test; }'],
    ['exec npm test'],
    ['nyc npm test'],
    ['x=$(date) npm test'],
  ])('%s', (command) => {
    expect(name(command, testScript)).toEqual(test);
  });

  it.each<[string, string, Files, readonly string[]]>([
    [
      'with pre and post',
      'npm test',
      { 'package.json': scripts({ pretest: 'tsc', test: 'x', posttest: 'y', other: 'z' }) },
      ['package.json#scripts.posttest', 'package.json#scripts.pretest', 'package.json#scripts.test'],
    ],
    [
      'and those that one runs, round in circles',
      'npm test',
      { 'package.json': scripts({ test: 'npm run unit && pnpm lint', unit: 'yarn test', lint: 'eslint .' }) },
      ['package.json#scripts.lint', 'package.json#scripts.test', 'package.json#scripts.unit'],
    ],
    [
      'and script files they run',
      'npm test',
      { 'package.json': scripts({ test: 'node scripts/run.mjs' }), 'scripts/run.mjs': 'x' },
      ['package.json#scripts.test', 'scripts/run.mjs'],
    ],
    [
      'by the names of a pattern',
      'run-s "lint:*"',
      { 'package.json': scripts({ 'lint:a': 'x', 'lint:b:c': 'y', test: 'z' }) },
      ['package.json#scripts.lint:a'],
    ],
    [
      'by patterns over all parts',
      'npm-run-all "lint:**"',
      { 'package.json': scripts({ 'lint:a': 'x', 'lint:b:c': 'y' }) },
      ['package.json#scripts.lint:a', 'package.json#scripts.lint:b:c'],
    ],
    [
      'in a folder',
      'cd sub && npm test',
      { 'sub/package.json': scripts({ test: 'x' }), ...testScript },
      ['sub/package.json#scripts.test'],
    ],
    [
      'in a folder, by option',
      'npm --prefix sub test',
      { 'sub/package.json': scripts({ test: 'x' }), ...testScript },
      ['sub/package.json#scripts.test'],
    ],
    [
      'in a folder, by pnpm’s option',
      'pnpm -C sub test',
      { 'sub/package.json': scripts({ test: 'x' }) },
      ['sub/package.json#scripts.test'],
    ],
    [
      'in a folder, by yarn’s option',
      'yarn --cwd=sub test',
      { 'sub/package.json': scripts({ test: 'x' }) },
      ['sub/package.json#scripts.test'],
    ],
    [
      'after a subshell, back at the root',
      '(cd sub && true); npm test',
      { 'sub/package.json': scripts({ test: 'x' }), ...testScript },
      test,
    ],
    ['from a folder without one, in the one above', 'cd src/deep; npm test', testScript, test],
    [
      'of a workspace by path',
      'npm test -w packages/a',
      { 'package.json': scripts({}), 'packages/a/package.json': scripts({ test: 'x' }) },
      ['packages/a/package.json#scripts.test'],
    ],
    [
      'of a workspace by name',
      'npm run -w @me/a test',
      {
        'package.json': scripts({}, { workspaces: ['packages/*'] }),
        'packages/a/package.json': scripts({ test: 'x' }, { name: '@me/a' }),
      },
      ['packages/a/package.json#scripts.test'],
    ],
    [
      'of a workspace by filter',
      'pnpm --filter a... test',
      { 'package.json': scripts({}), 'packages/a/package.json': scripts({ test: 'x' }, { name: 'a' }) },
      ['packages/a/package.json#scripts.test'],
    ],
    [
      'of a workspace in yarn',
      'yarn workspace a run test',
      {
        'package.json': scripts({}, { workspaces: { packages: ['libs/a'] } }),
        'libs/a/package.json': scripts({ test: 'x' }),
      },
      ['libs/a/package.json#scripts.test'],
    ],
    [
      'of all listed workspaces',
      'npm test --workspaces',
      {
        'package.json': scripts({}, { workspaces: ['a', 'b'] }),
        'a/package.json': scripts({ test: 'x' }),
        'b/package.json': scripts({ test: 'x' }),
      },
      ['a/package.json#scripts.test', 'b/package.json#scripts.test'],
    ],
    [
      'none where the workspaces are no list',
      'npm test --workspace a --workspaces',
      { 'package.json': scripts({}, { workspaces: { packages: 'a' } }) },
      [],
    ],
    ['none that is missing', 'npm run nothing', testScript, []],
    ['none where npm installs', 'npm ci && npm install test', testScript, []],
    ['bun test is bun’s own', 'bun test', testScript, []],
    ['the whole file where it does not parse', 'npm test', { 'package.json': '{ broken' }, ['package.json']],
    [
      'a program of the package by its bare name',
      'yarn vitest run --config my.config.ts',
      { ...testScript, 'my.config.ts': 'x' },
      ['my.config.ts'],
    ],
    [
      'deno’s tasks',
      'deno task test',
      { 'deno.json': JSON.stringify({ tasks: { test: 'deno test' } }) },
      ['deno.json#tasks.test'],
    ],
    ['words in quotes are not run', `echo 'npm test' "npm test"`, testScript, []],
    ['nor are comments', 'true # npm test', testScript, []],
    ['nor here-documents of other programs', 'cat <<EOF\nnpm test\nEOF', testScript, []],
    ['but what follows a here-document is', 'cat <<EOF\nx\nEOF\nnpm test', testScript, test],
  ])('%s', (_, command, files, expected) => {
    expect(name(command, files)).toEqual(expected);
  });
});

describe('script files', () => {
  const files = {
    'x.sh': 'echo',
    'scripts/check.sh': 'echo',
    'scripts/run': '#!/bin/sh\n./x.sh\n',
    'test.js': '1',
    'tools/check.py': '1',
    'tools/mod/__main__.py': '1',
    'tools/a.ts': '1',
    'setup.mjs': '1',
    'cmd/check/main.go': 'x',
    'x.rb': '1',
    'test/a.test.js': '1',
    'tests/test_a.py': '1',
    'scripts/all.sh': '#!/usr/bin/env bash\ncd "$(dirname "$0")/.."\n./x.sh\nsource scripts/lib.sh\n',
    'scripts/lib.sh': 'npm test',
    'node_modules/.bin/vitest': 'x',
    '.venv/bin/pytest': 'x',
    'a b.sh': 'x',
    'scripts/own.sh': `DIR=$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)\n"$(dirname $0)/check.sh"\n`,
  };

  it.each<[string, readonly string[]]>([
    ['./x.sh', ['x.sh']],
    ['bash scripts/check.sh --fast', ['scripts/check.sh']],
    ['bash -x ./scripts/check.sh', ['scripts/check.sh']],
    ['sh < x.sh', ['x.sh']],
    ['. ./x.sh', ['x.sh']],
    ['source scripts/check.sh && true', ['scripts/check.sh']],
    ['scripts/run', ['scripts/run', 'x.sh']],
    ['scripts/all.sh', ['scripts/all.sh', 'scripts/lib.sh', 'x.sh']],
    ['scripts/own.sh', ['scripts/check.sh', 'scripts/own.sh']],
    ['"./a b.sh"', ['a b.sh']],
    ['node test.js', ['test.js']],
    ['node --enable-source-maps --import ./setup.mjs test', ['setup.mjs', 'test.js']],
    ['node --test', []],
    ['node --import ./setup.mjs --test test/a.test.js', ['setup.mjs']],
    ['node test/a.test.js', []],
    [`node -e 'require("./test.js")'`, []],
    ['python tools/check.py', ['tools/check.py']],
    ['python3.12 -W error tools/check.py', ['tools/check.py']],
    ['python -m tools.check', ['tools/check.py']],
    ['python -m tools.mod', ['tools/mod/__main__.py']],
    ['python tests/test_a.py', []],
    ['uv run --with x tools/check.py', ['tools/check.py']],
    ['poetry run python tools/check.py', ['tools/check.py']],
    ['deno run --allow-read tools/a.ts', ['tools/a.ts']],
    ['npx tsx tools/a.ts', ['tools/a.ts']],
    ['npx --yes -p tsx tsx watch tools/a.ts', ['tools/a.ts']],
    ['bun tools/a.ts', ['tools/a.ts']],
    ['bun run tools/a.ts', ['tools/a.ts']],
    ['go run ./cmd/check', ['cmd/check/main.go']],
    ['ruby -I lib x.rb', ['x.rb']],
    ['cd scripts && ./check.sh', ['scripts/check.sh']],
    ['cd scripts; bash ../x.sh', ['x.sh']],
    ['(cd scripts); ./check.sh', []],
    ['pushd tools && python check.py', ['tools/check.py']],
    ['cd "$SOMEWHERE" && ./x.sh', ['x.sh']],
    ['./node_modules/.bin/vitest run', ['node_modules/.bin/vitest']],
    ['.venv/bin/pytest', ['.venv/bin/pytest']],
    ['bash ../outside.sh', []],
    ['bash $SCRIPT', []],
    ['shellcheck x.sh', []],
    ['test -x ./x.sh', []],
    ['cat x.sh | wc -l', []],
    ['xargs bash x.sh', ['x.sh']],
    ['./missing.sh', []],
  ])('%s', (command, expected) => {
    expect(name(command, files)).toEqual(expected);
  });

  it('are found from the check’s own folder', () => {
    expect(name('./check.sh', files, 'scripts')).toEqual(['scripts/check.sh']);
    expect(name('../x.sh', files, 'scripts/')).toEqual(['x.sh']);
    expect(name('./x.sh', files, '')).toEqual(['x.sh']);
  });
});

describe('targets', () => {
  const makefile = [
    'include common.mk',
    'PY ?= python',
    'FLAGS = $(MORE) -q',
    'MORE := -x',
    'UNUSED = 1',
    '.PHONY: test',
    'all: test',
    '\techo all',
    'test: build | dirs ; @echo inline',
    '\t@$(PY) tools/check.py $(FLAGS) \\',
    '\t  --more',
    '\tcd sub && ./run.sh',
    'build: $(DEPS)',
    '\t$(MAKE) -C sub lib',
    '\techo $$HOME',
    'dirs:',
    '\tmkdir -p out',
    'ifdef CI',
    'late:',
    '\t./x.sh',
    'endif',
    '%.o: %.c',
    '\tcc',
  ].join('\n');
  const files = {
    Makefile: makefile,
    'common.mk': 'DEPS = prepare\nprepare:\n\t./x.sh\n',
    'tools/check.py': '1',
    'sub/run.sh': '1',
    'sub/Makefile': 'lib:\n\tcc\n',
    'x.sh': '1',
    justfile:
      'set shell := ["bash"]\nflags := "-q"\nalias t := test\n\n[private]\nbuild:\n  cargo build\n\n@test *args: build (lint "x")\n  ./x.sh {{flags}} {{args}}\n\nlint what:\n  echo {{what}}\n',
    'Taskfile.yml':
      'version: "3"\nvars:\n  FLAGS: -q\ntasks:\n  default:\n    cmds:\n      - task: test\n  test:\n    deps: [build]\n    cmds:\n      - ./x.sh {{.FLAGS}}\n      - task: lint\n  build: go build ./...\n  lint:\n    desc: x\n    cmd: sub/run.sh\n',
    'other.mk': 'test:\n\techo\n',
  };

  it.each<[string, readonly string[]]>([
    [
      'make -j4 test V=1',
      [
        'Makefile#target build',
        'Makefile#target dirs',
        'Makefile#target test',
        'common.mk#target prepare',
        'sub/Makefile#target lib',
        'sub/run.sh',
        'tools/check.py',
        'x.sh',
      ],
    ],
    ['make dirs', ['Makefile#target dirs']],
    ['make late', ['Makefile#target late', 'x.sh']],
    ['make -C sub lib', ['sub/Makefile#target lib']],
    ['make --directory=sub', ['sub/Makefile#target lib']],
    ['make -f other.mk test', ['other.mk#target test']],
    ['make made-by-a-pattern.o', ['Makefile', 'common.mk']],
    ['just test', ['justfile#target build', 'justfile#target lint', 'justfile#target test', 'x.sh']],
    [
      'just t',
      ['justfile#target build', 'justfile#target lint', 'justfile#target t', 'justfile#target test', 'x.sh'],
    ],
    ['just', ['justfile#target build']],
    ['cd sub && just build', ['justfile#target build']],
    [
      'task',
      [
        'Taskfile.yml#target build',
        'Taskfile.yml#target default',
        'Taskfile.yml#target lint',
        'Taskfile.yml#target test',
        'sub/run.sh',
        'x.sh',
      ],
    ],
    ['task lint', ['Taskfile.yml#target lint', 'sub/run.sh']],
    ['cd nowhere && make', []],
  ])('%s', (command, expected) => {
    expect(name(command, files)).toEqual(expected);
  });

  it.each<[string, string, string, string, boolean]>([
    ['the recipe', 'make dirs', 'mkdir -p out', 'true', true],
    ['a prerequisite', 'make test', 'build | dirs', 'dirs', true],
    ['a variable it uses through another', 'make test', 'MORE := -x', 'MORE := -y', true],
    ['a variable it does not use', 'make test', 'UNUSED = 1', 'UNUSED = 2', false],
    ['another target', 'make dirs', '\techo all', '\techo most', false],
    ['the shell of all recipes', 'make dirs', 'UNUSED = 1', 'SHELL := /bin/true', true],
    ['flags for all recipes', 'make dirs', 'UNUSED = 1', 'MAKEFLAGS += -n', true],
    ['a rule that is made one that ignores errors', 'make dirs', '.PHONY: test', '.IGNORE:', true],
  ])('of make change with %s', (_, command, from, to, changes) => {
    const after = { ...files, Makefile: makefile.replace(from, to) };
    expect(after.Makefile).not.toBe(makefile);
    const [before, now] = [files, after].map((at) => namedByCheck(command, '.', readerOf(at)));
    expect(changedDefinitions(before ?? [], now ?? [], declare()).length > 0).toBe(changes);
  });

  it('are overruled by a file that make prefers', () => {
    const before = namedByCheck('make dirs', '.', readerOf(files));
    const after = namedByCheck('make dirs', '.', readerOf({ ...files, GNUmakefile: 'dirs:\n\ttrue\n' }));
    expect(changedDefinitions(before, after, declare())).toMatchObject([
      { file: 'Makefile', detail: expect.stringMatching(/no longer decides/) },
    ]);
  });
});

describe('test runners’ configuration', () => {
  it.each<[string, Files, readonly string[]]>([
    [
      'npx vitest run a.test.ts',
      { 'vitest.config.ts': 'x', 'vite.config.ts': 'y' },
      ['vite.config.ts', 'vitest.config.ts'],
    ],
    [
      'vitest',
      { 'vite.config.ts': 'export default { plugins: [a({})], test: { include: ["x"], sub: {} } }' },
      ['vite.config.ts', 'vite.config.ts#test'],
    ],
    ['vitest', { 'vite.config.ts': 'export default { plugins: [] }' }, ['vite.config.ts']],
    ['vitest --config other.ts', { 'vitest.config.ts': 'x', 'other.ts': 'y' }, ['other.ts']],
    ['npx jest', { 'package.json': '{"jest": {"bail": 1}}' }, ['package.json#jest']],
    ['jest -c jest.ci.js', { 'jest.ci.js': 'x' }, ['jest.ci.js']],
    ['cd pkg && npx mocha', { '.mocharc.yml': 'x' }, ['.mocharc.yml']],
    ['pytest -q', { 'pytest.ini': 'x', 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest.ini']],
    [
      'python -m pytest tests',
      { 'pyproject.toml': '[project]\nname="x"\n[tool.pytest.ini_options]\naddopts = ""\n[tool.ruff]\n' },
      ['pyproject.toml#tool.pytest.ini_options'],
    ],
    ['coverage run -m pytest', { 'setup.cfg': '[tool:pytest]\nx=1' }, ['setup.cfg#tool:pytest']],
    ['python -m coverage run -m pytest', { 'tox.ini': '[pytest]\nx=1' }, ['tox.ini#pytest']],
    ['poetry run pytest', { 'pyproject.toml': '[project]\n' }, []],
    ['.venv/bin/pytest', { 'pytest.ini': 'x' }, ['pytest.ini']],
    ['cargo test', { '.cargo/config.toml': 'x' }, ['.cargo/config.toml']],
    ['npx c8 mocha', { '.c8rc.json': '{}', '.mocharc.json': '{}' }, ['.c8rc.json', '.mocharc.json']],
    ['npx playwright test', { 'playwright.config.ts': 'x' }, ['playwright.config.ts']],
    ['go test ./...', { 'go.mod': 'x', '.golangci.yml': 'x' }, []],
    ['npx tsc --noEmit', { 'tsconfig.json': '{}', 'eslint.config.js': 'x' }, []],
    ['npx eslint .', { 'tsconfig.json': '{}', 'eslint.config.js': 'x' }, ['eslint.config.js']],
    ['ruff check', { 'pyproject.toml': '[tool.ruff.lint]\na=1\n' }, ['pyproject.toml#tool.ruff']],
    ['coverage report', { 'setup.cfg': '[coverage:run]\na=1\n' }, ['setup.cfg#coverage']],
    [
      'npx jest',
      {
        'jest.config.js': "module.exports = { setupFiles: ['<rootDir>/s.js', './t'] }",
        's.js': 'a',
        't.ts': 'b',
      },
      ['jest.config.js', 's.js', 't.ts'],
    ],
    [
      'cd a && npx vitest',
      {
        'a/vitest.config.ts': "export default { test: { globalSetup: './up.ts' }, x: './b.ts' }",
        'a/up.ts': '',
        'a/b.ts': '',
      },
      ['a/up.ts', 'a/vitest.config.ts'],
    ],
    [
      'vendor/bin/phpunit',
      { 'phpunit.xml': '<phpunit bootstrap="tests/up.php">', 'tests/up.php': 'x' },
      ['phpunit.xml', 'tests/up.php'],
    ],
    [
      'tox',
      { 'tox.ini': 'x', 'pytest.ini': 'y', 'conftest.py': 'z' },
      ['conftest.py', 'pytest.ini', 'tox.ini'],
    ],
    ['PYTHONPATH=src:lib python -m pytest', { 'lib/sitecustomize.py': 'x' }, ['lib/sitecustomize.py']],
    ['NODE_OPTIONS="--require ./hook.cjs" npm test', { 'hook.cjs': 'x' }, ['hook.cjs']],
    ['node --env-file=.env.test t1.js', { '.env.test': 'KEY=1' }, ['.env.test']],
    ['composer run test', { 'composer.json': scripts({ test: 'phpunit' }) }, ['composer.json#scripts.test']],
  ])('%s with %j', (command, files, expected) => {
    expect(name(command, files)).toEqual(expected);
  });
});

function declare(...globs: readonly string[]) {
  return { globs, matches: matchesAny };
}

describe('changedDefinitions', () => {
  const files: Files = {
    'package.json': scripts({ test: 'vitest run', lint: 'eslint .' }, { dependencies: { a: '1' } }),
    'scripts/check.sh': 'exit 1\n',
  };
  const command = 'npm test && ./scripts/check.sh';

  function change(after: Files, declared: readonly string[] = [], before: Files = files) {
    return changedDefinitions(
      namedByCheck(command, '.', readerOf(before)),
      namedByCheck(command, '.', readerOf(after)),
      declare(...declared),
    );
  }
  const weaker = { ...files, 'package.json': scripts({ test: 'vitest run --passWithNoTests' }) };
  const emptied = { ...files, 'scripts/check.sh': 'exit 0\n' };

  it('is empty when nothing changed, or only what the check does not name', () => {
    expect(change(files)).toEqual([]);
    expect(
      change({
        ...files,
        'package.json': scripts({ test: 'vitest run', lint: 'true' }, { dependencies: { b: '2' } }),
      }),
    ).toEqual([]);
  });

  it('names a changed script with both texts', () => {
    expect(change(weaker)).toEqual([
      {
        file: 'package.json',
        key: 'scripts.test',
        detail: 'scripts.test was “vitest run”, is now “vitest run --passWithNoTests”',
      },
    ]);
  });

  it('names a changed file and a deleted one', () => {
    expect(change(emptied)).toEqual([{ file: 'scripts/check.sh', detail: 'scripts/check.sh was changed' }]);
    const { 'scripts/check.sh': _, ...left } = files;
    expect(change(left)).toMatchObject([
      { file: 'scripts/check.sh', detail: expect.stringContaining('was deleted') },
    ]);
  });

  it('names a script that is gone from the file', () => {
    expect(change({ ...files, 'package.json': scripts({ lint: 'x' }) })).toMatchObject([
      { key: 'scripts.test' },
    ]);
  });

  it('counts what is new only where it hooks into what was there', () => {
    expect(change(files, [], {})).toEqual([]);
    const hooked = { ...files, 'package.json': scripts({ pretest: 'rm -r test', test: 'vitest run' }) };
    expect(change(hooked)).toEqual([
      { file: 'package.json', key: 'scripts.pretest', detail: 'scripts.pretest was added: “rm -r test”' },
    ]);
    expect(change(hooked, [], { 'scripts/check.sh': 'exit 1\n' })).toEqual([]);
  });

  it.each<[string, Files, readonly string[], boolean]>([
    ['the file’s own name', emptied, ['scripts/check.sh'], true],
    ['its name with ./', emptied, ['./scripts/check.sh'], true],
    ['a glob', emptied, ['scripts/*.sh'], true],
    ['its folder', emptied, ['scripts/'], true],
    ['its folder, by stars', emptied, ['scripts/**'], true],
    ['another file', emptied, ['scripts/other.sh'], false],
    ['stars alone', emptied, ['**/*'], false],
    ['one star', emptied, ['**'], false],
    ['a glob that is none', emptied, ['['], false],
    ['for a part: the file’s own name', weaker, ['package.json'], true],
    ['for a part: a glob', weaker, ['*.json'], false],
  ])('is lifted by %s', (_, after, declared, lifted) => {
    expect(change(after, declared)).toHaveLength(lifted ? 0 : 1);
  });

  it('keeps texts in words short', () => {
    const [long] = change({ ...files, 'package.json': scripts({ test: 'x'.repeat(9999) }) });
    expect(long?.detail.length).toBeLessThan(400);
  });
});

/** Commands, and files that their runner reads without being told to. */
const reads: readonly (readonly [command: string, ...files: string[]])[] = [
  ['npm test', '.npmrc', '../.npmrc', '../../../.npmrc'],
  ['npx vitest run', '.npmrc', 'vitest.config.ts', 'vitest.workspace.ts', 'vite.config.mts'],
  ['cd sub && pnpm test', '.npmrc', 'sub/.npmrc', '.pnpmfile.cjs'],
  ['yarn test', '.yarnrc', '.yarnrc.yml', '../.yarnrc.yml'],
  ['bun run test', 'bunfig.toml'],
  ['jest', 'jest.config.js', 'babel.config.js', '.babelrc'],
  ['mocha', '.mocharc.yml', 'test/mocha.opts'],
  [
    'pytest tests/unit',
    'pytest.ini',
    'conftest.py',
    'tests/conftest.py',
    'tests/unit/conftest.py',
    '../pytest.ini',
  ],
  ['python3 -m pytest', 'pytest.py', 'pytest/__init__.py', '_pytest/__init__.py', 'sitecustomize.py'],
  ['python -m unittest', 'unittest/__init__.py', 'unittest.py'],
  ['tox -e py', 'tox.ini', 'tox.py'],
  ['cargo test', '.cargo/config.toml', '../.cargo/config.toml', 'rust-toolchain.toml'],
  ['go test ./...', 'go.work', '../go.work'],
  ['bundle exec rspec', '.rspec', '.rspec-local', '.bundle/config'],
  ['vendor/bin/phpunit', 'phpunit.xml'],
  ['./gradlew test', 'gradle.properties'],
  ['mvn test', '.mvn/maven.config', '.mvn/wrapper/maven-wrapper.properties'],
  ['python3 -m pytest -q', 'pytest.toml', '.coveragerc'],
  ['cargo nextest run', '.config/nextest.toml'],
  ['npx eslint src', 'eslint.config.mjs'],
  ['mypy .', 'mypy.ini'],
  ['mix test', 'test/test_helper.exs'],
  ['bats test', 'test/setup_suite.bash'],
  // In the home folder.
  ['npm test', '~/.npmrc'],
  ['go test ./...', '~/.config/go/env'],
  ['cargo test', '~/.cargo/config.toml'],
  ['./gradlew test', '~/.gradle/init.gradle'],
];

describe('what a runner reads without being told to', () => {
  const anyRead = fc.constantFrom(
    ...reads.flatMap(([command, ...files]) => files.map((file) => ({ command, file }))),
  );
  const others: Files = { 'src/a.ts': 'x', 'README.md': 'x', 'package.json': scripts({ test: 'true' }) };
  const change = (
    command: string,
    [before, after]: readonly [Files, Files],
    text = '',
    globs: readonly string[] = [],
  ) =>
    changedDefinitions(
      namedByCheck(command, '.', readerOf(before)),
      namedByCheck(command, '.', readerOf(after)),
      {
        ...declare(...globs),
        text,
      },
    );

  it('counts where it is new, and is lifted by the task that names it', () => {
    fc.assert(
      fc.property(anyRead, fc.string(), ({ command, file }, content) => {
        const grown = { ...others, [file]: content };
        const last = file.replace(/^.*\//, '');
        expect(change(command, [others, grown])).toMatchObject([{ file, mayChange: true }]);
        expect(change(command, [others, grown], `Add \`${last}\`.`)).toEqual([]);
        expect(change(command, [others, grown], `Add ${file}, and use it`)).toEqual([]);
        expect(change(command, [others, grown], `Add my${last} or ${last}2`)).toHaveLength(1);
        expect(change(command, [others, grown], '', [file])).toEqual([]);
        expect(change(command, [grown, grown])).toEqual([]);
        expect(change('true', [others, grown])).toEqual([]);
        expect(change(command, [others, { ...others, 'src/b.ts': content }])).toEqual([]);
      }),
    );
  });

  it.each<[string, string, boolean]>([
    ['pytest', 'conftest.py', true],
    ['npm test', '.npmrc', true],
    ['npx vitest', 'node_modules/.bin/vitest', true],
    ['npm test', 'node_modules/.bin/true', true],
    ['.venv/bin/pytest', '.venv/bin/pytest', true],
    ['npx vitest', 'vitest.config.ts', false],
    ['pytest', 'pytest.ini', false],
  ])('%s: that %s is other than it was may be work: %s', (command, file, mayChange) => {
    const [was, is] = ['a', 'b'].map((text) => ({ ...others, [file]: text })) as [Files, Files];
    expect(change(command, [was, is])).toMatchObject([{ file, ...(mayChange ? { mayChange } : {}) }]);
    expect(change(command, [was, is])[0]?.mayChange).toBe(mayChange || undefined);
    // The task's words alone do not lift what decides.
    expect(change(command, [was, is], `Change ${file}`)).toHaveLength(mayChange ? 0 : 1);
  });

  it.each<[command: string, file: string, told: boolean]>([
    ['pytest', 'a/b/c/conftest.py', true],
    ['npm test', 'a/b/conftest.py', true],
    ['cd a && python -m pytest b/c', 'a/b/c/conftest.py', true],
    ['cd a && pytest', 'b/c/conftest.py', false],
    ['cd a && pytest ../b', 'b/c/d/conftest.py', true],
    ['tox', 'tests/a/b/conftest.py', true],
    ['cd a && pytest', 'ab/c/conftest.py', false],
    ['pytest', 'a/b/c/my_conftest.py', false],
    ['npx eslint .', 'src/deep/.eslintrc.json', true],
    ['npx prettier --check .', 'src/deep/.prettierrc', true],
    ['go test ./...', 'a/b/c/conftest.py', false],
    ['python3 t1.py', 'json.py', true],
    ['python3.12 tools/t1.py', 'tools/re.py', true],
    ['cd a && python -m unittest', 'a/typing/__init__.py', true],
    ['pytest tests/unit', 'tests/unit/random.py', true],
    ['python3 t1.py', 'src/json.py', false],
    ['python3 t1.py', 'jsons.py', false],
    ['node t1.js', 'json.py', false],
  ])('%s reads %s where it lies: %s', (command, file, told) => {
    const was = { 'package.json': scripts({ test: 'pytest' }) };
    const read = (files: Files) => Object.assign(readerOf(files), { touched: [file] });
    const after = (files: Files) => namedByCheck(command, '.', read(files));
    const before = namedByCheck(command, '.', readerOf(was));
    const found = told ? [{ file, mayChange: true }] : [];
    expect(changedDefinitions(before, after({ ...was, [file]: 'x' }), declare())).toMatchObject(found);
    // Also where it is gone.
    expect(changedDefinitions(before, after(was), declare())).toHaveLength(found.length);
    expect(changedDefinitions(before, after({ ...was, [file]: 'x' }), declare(file))).toEqual([]);
  });

  it('of a home folder above the root a file is named once, and nothing of what it holds', () => {
    const home = { '../../.npmrc': '//host/:_authToken=secret', '~/.npmrc': '//host/:_authToken=secret' };
    const found = change('npm test', [others, { ...others, ...home }]);
    expect(found).toEqual([{ file: '../../.npmrc', detail: '../../.npmrc was added', mayChange: true }]);
  });

  it('that a program is installed for the first time is no change', () => {
    expect(change('npx vitest', [others, { ...others, 'node_modules/.bin/vitest': 'x' }])).toEqual([]);
  });

  it('a second recipe for a target counts where both are read', () => {
    const was = { Makefile: '-include local.mk\ntest:\n\tnpm test\n' };
    expect(change('make test', [was, { ...was, 'local.mk': 'test:\n\ttrue\n' }])).toMatchObject([
      { file: 'local.mk', key: 'target test' },
    ]);
    expect(change('make test', [was, { ...was, 'local.mk': 'other:\n\ttrue\n' }])).toEqual([]);
  });

  it.each<[makefile: string, made: string, idle: boolean]>([
    ['test:\n\tnpm test\n', 'test/a.js', true],
    ['test:\n\tnpm test\n', 'test', true],
    ['all: test\ntest:\n\tnpm test\n', 'test/a.js', true],
    ['.PHONY: other test\ntest:\n\tnpm test\n', 'test/a.js', false],
    ['ALL = a test\n.PHONY: $(ALL)\ntest:\n\tnpm test\n', 'test/a.js', false],
    ['test: build\n\tnpm test\nbuild:\n\tnpm run build\n', 'test/a.js', false],
    ['test:\n\tnpm test\n', 'tests/a.js', false],
  ])('%j: that the work makes %s leaves make nothing to do: %s', (makefile, made, idle) => {
    const command = makefile.startsWith('all') ? 'make all' : 'make test';
    const was = { Makefile: makefile };
    const now = Object.assign(readerOf({ ...was, [made]: 'x' }), { touched: [made] });
    const definitions = [namedByCheck(command, '.', readerOf(was)), namedByCheck(command, '.', now)] as const;
    // What the task says of the folder does not make the check run.
    const found = changedDefinitions(...definitions, { ...declare(made), text: `Write ${made}` });
    expect(found.map(({ complaint }) => complaint?.includes('.PHONY: test'))).toEqual(idle ? [true] : []);
  });

  it('what may hold secrets is told by its name alone', () => {
    const [found] = namedByCheck('node --env-file=.env t1.js', '.', readerOf({ '.env': 'KEY=secret' }));
    expect(found).toMatchObject({ file: '.env', text: '' });
  });

  it('a makefile of a stronger name overrules the one that was there', () => {
    const was = { Makefile: 'test:\n\tnpm test\n' };
    expect(change('make test', [was, { ...was, GNUmakefile: 'test:\n\ttrue\n' }])).toMatchObject([
      { file: 'Makefile', key: expect.stringContaining('test') },
    ]);
  });
});

describe('any command', () => {
  it('is read without an error, outside the root only files that programs look for there', () => {
    const word = fc.constantFrom(
      'npm',
      'test',
      'run',
      '-w',
      'sh',
      '-c',
      './x.sh',
      'make',
      '-C',
      '..',
      '/',
      '&&',
      '|',
      ';',
      '(',
      ')',
      '$(',
      '`',
      '"',
      "'",
      '<<EOF',
      '\n',
      'EOF',
      '<',
      '>',
      '{',
      '}',
      '\\',
      '$',
      '${',
      'cd',
      '#',
      'python',
      '-m',
      '--',
      'env',
      'timeout',
      'a=b',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 8 }))), (words) => {
        const asked: string[] = [];
        const read = (file: string): string => {
          asked.push(file);
          return words.join(' ');
        };
        namedByCheck(words.join(' '), 'sub', read);
        const outside = asked.filter((file) => file.startsWith('..'));
        // Of this property's programs npm looks above the root, and uv and go, which the letters of a text may come to.
        expect(outside.filter((file) => !/^(?:\.\.\/)+(?:\.npmrc|uv\.toml|go\.work)$/.test(file))).toEqual(
          [],
        );
      }),
      { numRuns: 500 },
    );
  });

  it('comes to an end on scripts that run one another without end', () => {
    const read = (file: string): string =>
      file.endsWith('.sh') ? `./${file.replace('.sh', 'a.sh')}\n./${file.replace('.sh', 'b.sh')}\n` : '';
    expect(namedByCheck('./x.sh', '.', read).length).toBeLessThan(1000);
  });
});

describe('what a person changed holds from then on', () => {
  const name = ({ file, key, text }: Definition) => `${file}${key === undefined ? '' : `#${key}`}=${text}`;
  const at = (test: string, lint: string) => ({ 'package.json': scripts({ test, lint }) });
  const named = (files: Files) =>
    ['npm test', 'npm run lint'].flatMap((command) => namedByCheck(command, '.', readerOf(files)));

  it.each<[string, Readonly<Record<'start' | 'left' | 'now', Files>>, readonly string[], readonly string[]]>([
    [
      'the person mended one script, the agent had changed the other',
      { start: at('old', 'biome'), left: at('old', 'true'), now: at('new', 'true') },
      ['package.json#scripts.lint=biome', 'package.json#scripts.test=new'],
      ['scripts.test in package.json'],
    ],
    [
      'the person put back what the agent had changed',
      { start: at('old', 'biome'), left: at('old', 'true'), now: at('old', 'biome') },
      ['package.json#scripts.lint=biome', 'package.json#scripts.test=old'],
      ['scripts.lint in package.json'],
    ],
    [
      'the person deleted all',
      { start: at('old', 'biome'), left: at('old', 'biome'), now: {} },
      [],
      ['scripts.test in package.json', 'scripts.lint in package.json'],
    ],
    [
      'the agent deleted all',
      { start: at('old', 'biome'), left: {}, now: {} },
      ['package.json#scripts.lint=biome', 'package.json#scripts.test=old'],
      [],
    ],
    [
      'the person wrote them first',
      { start: {}, left: {}, now: at('new', 'biome') },
      ['package.json#scripts.lint=biome', 'package.json#scripts.test=new'],
      ['scripts.test in package.json', 'scripts.lint in package.json'],
    ],
    ['the agent wrote them first', { start: {}, left: at('a', 'b'), now: at('a', 'b') }, [], []],
  ])('%s', (_, { start, left, now }, definitions, changed) => {
    const taken = mergeDefinitions({ start: named(start), left: named(left), now: named(now) }, [
      'package.json',
    ]);
    expect(taken.definitions.map(name).sort()).toEqual(definitions);
    expect(taken.changed).toEqual(changed);
  });

  it('takes nothing from a file that was not changed, such as an ignored one', () => {
    const [start, now] = [named(at('old', 'biome')), named(at('new', 'biome'))];
    expect(mergeDefinitions({ start, left: start, now }, ['README.md'])).toEqual({
      definitions: start,
      changed: [],
    });
  });
});
