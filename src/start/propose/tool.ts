// Proposes checks from the configuration files of tools.

import type { ReadFile } from '../../check/read-file.ts';

/** Paths are relative to the root, which `list` takes as `.`. */
export type Project = Readonly<{ read: ReadFile; list: (folder: string) => readonly string[] }>;

export type ProposedCheck = Readonly<{
  kind: 'tests' | 'types' | 'lint' | 'formatting' | 'all checks' | 'build';
  command: string;
  file: string;
  reason: string;
}>;

/** Also of projects whose tool always knows how to test. */
export function proposeTools(project: Project): readonly ProposedCheck[] {
  const { read } = project;
  const found: ProposedCheck[] = [...proposePython(project)];
  const families = new Set(found.some(({ kind }) => kind === 'tests') ? ['python'] : []);
  for (const { files, has, wrapper, commands, family } of kinds) {
    const file = files.find((name) => read(name) !== undefined && (has?.test(read(name) ?? '') ?? true));
    if (file === undefined || (family !== undefined && families.has(family))) continue;
    if (family !== undefined) families.add(family);
    const own = wrapper !== undefined && read(wrapper[0]) !== undefined ? wrapper : undefined;
    for (const [kind, command, reason] of commands)
      found.push({ kind, command: own ? command.replace(own[1], own[2]) : command, file, reason });
  }
  found.push(...proposeDotnet(project));
  // The hooks call a configured linter, which needs no network.
  const isHook = ({ command }: ProposedCheck) => command.startsWith('pre-commit ');
  const hasLint = found.some((check) => check.kind === 'lint' && !isHook(check));
  return found.filter((check) => !hasLint || !isHook(check));
}

/** `dotnet test` finds a single solution or project itself; of several, the first solution is named. */
function proposeDotnet({ read, list }: Project): readonly ProposedCheck[] {
  const names = list('.');
  const solutions = names.filter((name) => /\.slnx?$/.test(name)).toSorted();
  const [file = names.find((name) => /\.(?:cs|fs|vb)proj$/.test(name))] = solutions;
  const found = file ?? ['global.json', 'Directory.Build.props'].find((name) => read(name) !== undefined);
  if (found === undefined) return [];
  const command = solutions.length > 1 && file !== undefined ? `dotnet test ${file}` : 'dotnet test';
  return [{ kind: 'tests', command, file: found, reason: 'a .NET solution' }];
}

/** Run with uv or poetry if they are used, else by the project's own environment. */
function proposePython({ read, list }: Project): readonly ProposedCheck[] {
  const locked = [...pythonRunners].find(([lock]) => read(lock) !== undefined)?.[1];
  const own = ['.venv', 'venv'].find((folder) => list(`${folder}/bin`).includes('python'));
  const runner = locked ?? (own === undefined ? '' : `${own}/bin/python -m `);
  return pythonTools.flatMap(({ kind, program, section, files, reason }) => {
    const file = pythonFiles.find((name) => section(name, read(name) ?? '')) ?? firstOf(files, read);
    return file === undefined ? [] : [{ kind, command: `${runner}${program}`, file, reason }];
  });
}

const pythonRunners = new Map([
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
]);

/** Files that configure several tools, or list what is installed. */
const pythonFiles = ['pyproject.toml', 'tox.ini', 'setup.cfg', 'requirements-dev.txt', 'requirements.txt'];

/** `[section]`, or one below it, in INI or TOML. */
const hasSection = (text: string, section: string): boolean =>
  new RegExp(`^\\[+${section.replaceAll('.', '\\.')}[.:\\]]`, 'm').test(text);

const inProject =
  (name: string) =>
  (file: string, text: string): boolean =>
    file === 'pyproject.toml' && hasSection(text, name);

const pythonTools: readonly Readonly<{
  kind: ProposedCheck['kind'];
  program: string;
  /** Whether a shared file configures it. */
  section: (file: string, text: string) => boolean;
  files: readonly string[];
  reason: string;
}>[] = [
  {
    kind: 'tests',
    program: 'pytest',
    // tox.ini installs it for one environment, unless configured for all.
    section: (file, text) => (file === 'tox.ini' ? hasSection(text, 'pytest') : /\bpytest\b/.test(text)),
    files: ['pytest.ini', '.pytest.ini'],
    reason: 'tests: pytest is set up',
  },
  {
    kind: 'lint',
    program: 'ruff check .',
    section: inProject('tool.ruff'),
    files: ['ruff.toml', '.ruff.toml'],
    reason: 'lint: ruff is set up',
  },
  {
    kind: 'types',
    program: 'mypy .',
    section: inProject('tool.mypy'),
    files: ['mypy.ini', '.mypy.ini'],
    reason: 'types: mypy is set up',
  },
  {
    kind: 'types',
    program: 'pyright',
    section: inProject('tool.pyright'),
    files: ['pyrightconfig.json'],
    reason: 'types: pyright is set up',
  },
];

function firstOf(files: readonly string[], read: ReadFile): string | undefined {
  return files.find((name) => read(name) !== undefined);
}

type Kind = Readonly<{
  /** The first that exists and matches `has` counts. */
  files: readonly string[];
  has?: RegExp;
  commands: readonly (readonly [kind: ProposedCheck['kind'], command: string, reason: string])[];
  wrapper?: readonly [file: string, program: string, own: string];
  /** Of each family only the first counts: they test the same. */
  family?: string;
}>;

const test = (command: string, reason: string): Kind['commands'] => [['tests', command, reason]];

const kinds: readonly Kind[] = [
  {
    files: ['go.mod'],
    commands: [
      ['tests', 'go test ./...', 'a Go module'],
      ['lint', 'go vet ./...', 'a Go module'],
    ],
  },
  { files: ['Cargo.toml'], commands: test('cargo test', 'a Rust package') },
  {
    files: ['pom.xml'],
    commands: test('mvn -q -B test', 'a Maven project'),
    wrapper: ['mvnw', 'mvn', './mvnw'],
  },
  {
    files: ['build.gradle.kts', 'build.gradle'],
    commands: test('gradle test', 'a Gradle project'),
    wrapper: ['gradlew', 'gradle', './gradlew'],
  },
  { files: ['build.sbt'], commands: test('sbt test', 'a Scala project') },
  { files: ['noxfile.py'], family: 'python', commands: test('nox', 'nox is set up') },
  { files: ['tox.ini'], family: 'python', has: /^\[testenv/m, commands: test('tox -e py', 'tox is set up') },
  { files: ['.rspec'], family: 'ruby', commands: test('bundle exec rspec', 'RSpec is set up') },
  { files: ['bin/rails'], family: 'ruby', commands: test('bin/rails test', 'a Rails application') },
  { files: ['.rubocop.yml'], commands: [['lint', 'bundle exec rubocop', 'RuboCop is set up']] },
  { files: ['mix.exs'], commands: test('mix test', 'an Elixir project') },
  { files: ['artisan'], family: 'php', commands: test('php artisan test', 'a Laravel application') },
  {
    files: ['composer.json'],
    family: 'php',
    has: /"pestphp\/pest"/,
    commands: test('vendor/bin/pest', 'Pest is installed'),
  },
  {
    files: ['phpunit.xml', 'phpunit.xml.dist'],
    family: 'php',
    commands: test('vendor/bin/phpunit', 'PHPUnit is set up'),
  },
  {
    files: ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon'],
    commands: [['types', 'vendor/bin/phpstan analyse', 'PHPStan is set up']],
  },
  { files: ['Package.swift'], commands: test('swift test', 'a Swift package') },
  {
    files: ['pubspec.yaml'],
    family: 'dart',
    has: /^\s+sdk:\s*flutter/m,
    commands: test('flutter test', 'a Flutter project'),
  },
  {
    files: ['pubspec.yaml'],
    family: 'dart',
    has: /^dev_dependencies:/m,
    commands: test('dart test', 'a Dart package'),
  },
  { files: ['build.zig'], commands: test('zig build test', 'a Zig project') },
  {
    files: ['CMakeLists.txt'],
    family: 'cmake',
    has: /\b(?:enable_testing|include\s*\(\s*CTest|add_test)\b/i,
    commands: test(
      'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
      'a CMake project',
    ),
  },
  {
    files: ['CMakeLists.txt'],
    family: 'cmake',
    commands: [['build', 'cmake -S . -B build && cmake --build build', 'a CMake project']],
  },
  {
    files: ['.pre-commit-config.yaml'],
    commands: [['lint', 'pre-commit run --all-files', 'pre-commit is set up']],
  },
];
