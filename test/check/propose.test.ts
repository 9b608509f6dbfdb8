// Which checks are proposed for which project.
import { expect, it } from 'vitest';
import { proposeChecks } from '../../src/check/propose.ts';

type Files = Readonly<Record<string, string>>;
const propose = (files: Files): readonly string[] =>
  proposeChecks((file) => files[file]).map(({ command }) => command);
const scripts = (all: object, more: object = {}): string => JSON.stringify({ scripts: all, ...more });

it.each<[string, Files, readonly string[]]>([
  ['nothing', {}, []],
  [
    'npm',
    {
      'package.json': scripts({
        build: 'x',
        lint: 'eslint .',
        test: 'vitest run',
        typecheck: 'tsc',
        'format:check': 'x',
      }),
    },
    ['npm test', 'npm run typecheck', 'npm run lint', 'npm run format:check'],
  ],
  ['one script per kind', { 'package.json': scripts({ test: 'x', 'test:unit': 'y' }) }, ['npm test']],
  ['another name for the tests', { 'package.json': scripts({ 'test:unit': 'y' }) }, ['npm run test:unit']],
  ['pnpm by its lock', { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' }, ['pnpm test']],
  [
    'yarn by its lock',
    { 'package.json': scripts({ test: 'x', lint: 'y' }), 'yarn.lock': '' },
    ['yarn test', 'yarn run lint'],
  ],
  ['bun by its lock', { 'package.json': scripts({ test: 'x' }), 'bun.lock': '' }, ['bun run test']],
  [
    'the named package manager before a lock',
    { 'package.json': scripts({ test: 'x' }, { packageManager: 'pnpm@9.0.0' }), 'yarn.lock': '' },
    ['pnpm test'],
  ],
  [
    'not npm’s placeholder',
    { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
  ],
  [
    'not what waits for changes',
    { 'package.json': scripts({ test: 'jest --watch', lint: 'eslint . --watchAll=false' }) },
    ['npm run lint'],
  ],
  ['not an empty or broken script', { 'package.json': scripts({ test: ' ', lint: 5 }) }, []],
  ['not a broken file', { 'package.json': '{' }, []],
  ['deno', { 'deno.json': '{}' }, ['deno test']],
  [
    'deno’s tasks',
    { 'deno.json': JSON.stringify({ tasks: { test: 'deno test -A', lint: 'x' } }) },
    ['deno task test', 'deno task lint'],
  ],
  ['make', { Makefile: 'all:\n\tx\ntest:\n\tx\nlint:\n\ty\n' }, ['make test', 'make lint']],
  ['just', { justfile: 'test:\n  x\n' }, ['just test']],
  ['task', { 'Taskfile.yml': 'tasks:\n  test: x\n' }, ['task test']],
  ['go', { 'go.mod': 'module x' }, ['go test ./...', 'go vet ./...']],
  ['rust', { 'Cargo.toml': '[package]' }, ['cargo test']],
  ['pytest by its section', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest']],
  [
    'pytest by a dependency, run by uv',
    {
      'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n[tool.ruff]\n[tool.mypy]\n',
      'uv.lock': '',
    },
    ['uv run pytest', 'uv run ruff check .', 'uv run mypy .'],
  ],
  ['poetry', { 'pyproject.toml': 'pytest = "8"', 'poetry.lock': '' }, ['poetry run pytest']],
  ['pytest by requirements', { 'requirements-dev.txt': 'pytest==8' }, ['pytest']],
  [
    'tools by their own files',
    { 'ruff.toml': '', 'mypy.ini': '', 'pyrightconfig.json': '{}' },
    ['ruff check .', 'mypy .', 'pyright'],
  ],
  ['python without any', { 'pyproject.toml': '[project]\nname = "x"\n' }, []],
  ['maven', { 'pom.xml': '' }, ['mvn -q -B test']],
  ['maven’s wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw -q -B test']],
  ['gradle', { 'build.gradle': '' }, ['gradle test']],
  ['gradle’s wrapper', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew test']],
  ['ruby', { '.rspec': '' }, ['bundle exec rspec']],
  ['elixir', { 'mix.exs': '' }, ['mix test']],
  [
    'two at once',
    { 'package.json': scripts({ test: 'x' }), 'go.mod': '' },
    ['npm test', 'go test ./...', 'go vet ./...'],
  ],
])('%s', (_, files, expected) => {
  expect(propose(files)).toEqual(expected);
});

it('says where each comes from and why', () => {
  const files: Files = { 'package.json': scripts({ test: 'x' }), Makefile: 'lint:\n\tx\n' };
  expect(proposeChecks((file) => files[file])).toEqual([
    { command: 'npm test', file: 'package.json', reason: 'tests: script test' },
    { command: 'make lint', file: 'Makefile', reason: 'lint: target lint' },
  ]);
});
