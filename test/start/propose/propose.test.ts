// Which checks are proposed for which project.
import { expect, it } from 'vitest';
import { proposeChecks } from '../../../src/start/propose/propose.ts';

type Files = Readonly<Record<string, string>>;
const projectOf = (files: Files) => ({
  read: (file: string) => files[file],
  list: (folder: string) => {
    const above = folder === '.' ? '' : `${folder}/`;
    const inside = Object.keys(files).filter((file) => file.startsWith(above));
    return [...new Set(inside.map((file) => file.slice(above.length).split('/')[0] ?? ''))];
  },
});
const propose = (files: Files): readonly string[] =>
  proposeChecks(projectOf(files)).map(({ command }) => command);
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
  ['a project of .NET', { 'X.csproj': '' }, ['dotnet test']],
  ['laravel', { artisan: '', 'phpunit.xml': '' }, ['php artisan test']],
  [
    'rails',
    { 'bin/rails': '', Rakefile: 'task :test', '.rubocop.yml': '' },
    ['bin/rails test', 'bundle exec rubocop'],
  ],
  [
    'tools by their own files',
    {
      'requirements-dev.txt': 'pytest==8',
      'mypy.ini': '',
      'pyrightconfig.json': '{}',
      'Cargo.toml': '',
      'pom.xml': '',
    },
    ['pytest', 'mypy .', 'pyright', 'cargo test', 'mvn -q -B test'],
  ],
  ['go', { 'go.mod': 'module x' }, ['go test ./...', 'go vet ./...']],
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
  [
    'the tools of an environment in the project',
    { 'pyproject.toml': '[tool.pytest]\n[tool.ruff]\n', 'venv/bin/python': '' },
    ['venv/bin/python -m pytest', 'venv/bin/python -m ruff check .'],
  ],
  ['python without any', { 'pyproject.toml': '[project]\nname = "x"\n' }, []],
  ['maven’s wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw -q -B test']],
  ['gradle’s wrapper', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew test']],
  [
    'not a script that calls one that waits',
    {
      'package.json': scripts({ test: 'jest --watch', check: 'eslint . && npm run test', lint: 'eslint .' }),
    },
    ['npm run lint'],
  ],
  ['not one that waits by a letter', { 'package.json': scripts({ types: 'tsc -w', test: 'ng test' }) }, []],
  [
    'all checks where no tests have a name',
    { 'package.json': scripts({ check: 'x', lint: 'y' }) },
    ['npm run lint', 'npm run check'],
  ],
  ['not all checks beside the tests', { Makefile: 'check: test\n\tx\ntest:\n\ty\n' }, ['make test']],
  [
    'a target before the tool it runs',
    { Makefile: 'test:\n\tgo test ./...\n', 'go.mod': '' },
    ['make test', 'go vet ./...'],
  ],
  [
    'not a target that calls the script',
    { Makefile: 'test:\n\tnpm test\n', 'package.json': scripts({ test: 'x' }) },
    ['npm test'],
  ],
  [
    'a workspace of pnpm',
    {
      'package.json': '{}',
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n',
      'packages/a/package.json': scripts({ test: 'vitest run', lint: 'x' }),
      'packages/b/package.json': scripts({ test: 'x', lint: 'y --watch' }),
    },
    ['pnpm -r --if-present run test'],
  ],
  [
    'a workspace of npm',
    {
      'package.json': '{"workspaces":["a","libs/*"]}',
      'a/package.json': scripts({ test: 'x' }),
      'libs/b/package.json': scripts({ lint: 'x' }),
    },
    ['npm run test --workspaces --if-present', 'npm run lint --workspaces --if-present'],
  ],
  [
    'a workspace of yarn',
    {
      'package.json': '{"workspaces":{"packages":["p/*"]}}',
      'yarn.lock': '',
      'p/a/package.json': scripts({ test: 'x' }),
    },
    ['yarn workspaces run test'],
  ],
  [
    'a workspace of today’s yarn',
    {
      'package.json': '{"workspaces":["p/*"]}',
      'yarn.lock': '',
      '.yarnrc.yml': '',
      'p/a/package.json': scripts({ test: 'x' }),
    },
    ['yarn workspaces foreach -A run test'],
  ],
  [
    'a workspace whose root has its own',
    {
      'package.json': scripts({ test: 'x' }, { workspaces: ['a'] }),
      'a/package.json': scripts({ lint: 'x' }),
    },
    ['npm test'],
  ],
  [
    'nx',
    { 'package.json': '{}', 'nx.json': '{}', 'apps/a/project.json': '{"targets":{"lint":{}}}' },
    ['npx nx run-many -t test', 'npx nx run-many -t lint'],
  ],
  [
    'folders side by side',
    {
      'frontend/package.json': scripts({ test: 'x' }),
      'backend/go.mod': '',
      'docs/package.json': scripts({ test: 'x' }),
    },
    ['cd backend && go test ./...', 'cd backend && go vet ./...', 'cd frontend && npm test'],
  ],
  [
    'more folders than one would choose from',
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/go.mod`, ''])),
    [],
  ],
  [
    'composer’s scripts',
    { 'composer.json': scripts({ test: ['@lint', 'phpunit'], lint: 'x' }), 'phpunit.xml': '' },
    ['composer run test', 'composer run lint'],
  ],
  ['a solution', { 'X.sln': '' }, ['dotnet test']],
  ['two solutions', { 'b.slnx': '', 'a.sln': '' }, ['dotnet test a.sln']],
  [
    'cmake with tests',
    { 'CMakeLists.txt': 'enable_testing()' },
    ['cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure'],
  ],
  ['cmake without', { 'CMakeLists.txt': 'project(x)' }, ['cmake -S . -B build && cmake --build build']],
  [
    'tox',
    { 'tox.ini': '[tox]\nenvlist = py3\n[testenv]\ndeps = pytest\ncommands = pytest\n' },
    ['tox -e py'],
  ],
  ['pytest set up in tox.ini', { 'tox.ini': '[pytest]\naddopts = -q\n' }, ['pytest']],
  [
    'pytest, run by tox',
    { 'tox.ini': '[testenv]\ncommands = pytest\n', 'pyproject.toml': '[tool.pytest.ini_options]' },
    ['pytest'],
  ],
  ['pre-commit alone', { '.pre-commit-config.yaml': '' }, ['pre-commit run --all-files']],
  ['pre-commit beside a linter', { '.pre-commit-config.yaml': '', 'ruff.toml': '' }, ['ruff check .']],
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
  expect(proposeChecks(projectOf(files))).toEqual([
    { kind: 'tests', command: 'npm test', file: 'package.json', reason: 'tests: script test' },
    { kind: 'lint', command: 'make lint', file: 'Makefile', reason: 'lint: target lint' },
  ]);
});
