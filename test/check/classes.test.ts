// The class of a file by its name: rows of names as projects have them.
import { expect, test } from 'vitest';
import { classify, type FileClass, isOfTests, isRunnableTest } from '../../src/check/classes.ts';

const rows: Readonly<Record<FileClass, string>> = {
  lock: 'package-lock.json web/yarn.lock Cargo.lock go.sum uv.lock pnpm-lock.yaml',
  deps: 'go.mod requirements.txt requirements-dev.txt Gemfile Pipfile .gitmodules',
  config:
    'package.json a/package.json tsconfig.json tsconfig.build.json vitest.config.ts jest.config.js .mocharc.yml .eslintrc.cjs .npmrc .gitignore .pytest.ini tests/pytest.ini tests/conftest.py conftest.py pyproject.toml tox.ini setup.py setup.cfg Makefile justfile .justfile Taskfile.yml Dockerfile check.sh .github/workflows/ci.yml Cargo.toml build.rs pom.xml build.gradle.kts .env .env.test .python-version .tool-versions CMakeLists.txt .rspec mix.exs sitecustomize.py x.pth dart_test.yaml .husky/pre-commit test/vitest.config.ts src/App.csproj',
  support:
    'test/__snapshots__/a.test.ts.snap tests/fixtures/a.json pkg/testdata/x.golden src/__mocks__/fs.js tap-snapshots/a.cjs out.approved.txt',
  test: 'test/a.js tests/test_a.py src/a.test.ts src/a.spec.tsx pkg/a_test.go spec/a_spec.rb src/__tests__/a.js test.js test_a.py FooTest.java FooTests.cs t/a.t a.bats features/x.feature test/helpers/pawl.ts',
  docs: 'README.md docs/a.html src/parse.bench.ts bench/a.js CHANGELOG LICENSE renovate.json mkdocs.yml logo.svg notes.txt .mailmap',
  types: 'index.d.ts src/a.d.mts lib/x.pyi py.typed',
  built: 'dist/index.js vendor/x/y.go a.min.js src/a.js.map node_modules/.bin/jest',
  source:
    'src/index.ts scripts/build.js tools/report.py numbers.py lib/testing-tool/a.rb src/rates.json latest.js contest.py src/scripts/a.js index.html a/build.py tester.go src/arc',
};

test.each(
  Object.entries(rows).flatMap(([name, files]) => files.split(' ').map((file) => [file, name] as const)),
)('%s is %s', (file, name) => {
  expect(classify(file)).toBe(name);
});

test('a file that a check runs is config, unless it is a test', () => {
  const named = new Set(['check.mjs', 'test/setup.ts', 'src/__mocks__/x.ts', 'test/a.test.ts']);
  expect(classify('check.mjs', named)).toBe('config');
  expect(classify('src/__mocks__/x.ts', named)).toBe('config');
  expect(classify('test/setup.ts', named)).toBe('config');
  expect(classify('test/a.test.ts', named)).toBe('test');
});

test.each([
  ['test/a.js', true],
  ['tests/test_a.py', true],
  ['tests/__init__.py', false],
  ['test/helpers/pawl.ts', false],
  ['test/data.json', false],
  ['test/total_test.dart', true],
  ['features/total.feature', true],
  ['src/a.js', false],
])('a runner starts %s: %s', (file, isRun) => {
  expect(isRunnableTest(file)).toBe(isRun);
});

test.each([
  ['test/a.test.sh', true],
  ['lib/a_test.bash', true],
  ['test/helper.ts', true],
  ['run.sh', false],
  ['scripts/test.sh', false],
])('%s is one of the tests: %s', (file, is) => {
  expect(isOfTests(file)).toBe(is);
});

test.each([
  ['scripts/lib/count.mjs', 'scripts/test.mjs', 'config'],
  ['scripts/report.py', 'tools/test.py', 'source'],
  ['scripts/test_report.py', 'scripts/test.mjs', 'test'],
  ['src/scripts/a.mjs', 'src/scripts/test.mjs', 'source'],
  ['packages/a/scripts/count.mjs', 'packages/a/scripts/test.mjs', 'config'],
  ['packages/ci/src/a.mjs', 'packages/ci/run.mjs', 'source'],
  ['packages/b/scripts/count.mjs', 'packages/a/scripts/test.mjs', 'source'],
])('%s, where a check runs %s: %s', (file, run, expected) => {
  expect(classify(file, new Set([run]))).toBe(expected);
});
