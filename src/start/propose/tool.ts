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

type Tool = readonly [
  kind: ProposedCheck['kind'],
  command: string,
  /** The first that exists, and has what is asked for, counts. */
  files: string,
  more?: Readonly<{
    has?: RegExp;
    /** A program of the project's own that takes the command's first word's place. */
    wrapper?: string;
    /** Of each family only the first counts: they test the same. */
    family?: string;
    /** Run by uv or poetry where they are used, or by its environment. */
    isPython?: true;
  }>,
];

const python = { isPython: true } as const;
const inProject = (section: string) => ({ ...python, has: new RegExp(`^\\[+tool\\.${section}[.\\]]`, 'm') });
const cmake = 'cmake -S . -B build && cmake --build build';

const tools: readonly Tool[] = [
  [
    'tests',
    'pytest',
    'pyproject.toml setup.cfg requirements-dev.txt requirements.txt',
    { ...python, has: /\bpytest\b/, family: 'python' },
  ],
  // tox.ini installs it for one environment, unless configured for all.
  ['tests', 'pytest', 'tox.ini', { ...python, has: /^\[pytest[:\]]/m, family: 'python' }],
  ['tests', 'pytest', 'pytest.ini .pytest.ini', { ...python, family: 'python' }],
  ['tests', 'nox', 'noxfile.py', { family: 'python' }],
  ['tests', 'tox -e py', 'tox.ini', { family: 'python', has: /^\[testenv/m }],
  ['lint', 'ruff check .', 'pyproject.toml', inProject('ruff')],
  ['lint', 'ruff check .', 'ruff.toml .ruff.toml', python],
  ['types', 'mypy .', 'pyproject.toml', inProject('mypy')],
  ['types', 'mypy .', 'mypy.ini .mypy.ini', python],
  ['types', 'pyright', 'pyproject.toml', inProject('pyright')],
  ['types', 'pyright', 'pyrightconfig.json', python],
  ['tests', 'go test ./...', 'go.mod'],
  ['lint', 'go vet ./...', 'go.mod'],
  ['tests', 'cargo test', 'Cargo.toml'],
  ['tests', 'mvn -q -B test', 'pom.xml', { wrapper: 'mvnw' }],
  ['tests', 'gradle test', 'build.gradle.kts build.gradle', { wrapper: 'gradlew' }],
  ['tests', 'sbt test', 'build.sbt'],
  ['tests', 'bundle exec rspec', '.rspec', { family: 'ruby' }],
  ['tests', 'bin/rails test', 'bin/rails', { family: 'ruby' }],
  ['lint', 'bundle exec rubocop', '.rubocop.yml'],
  ['tests', 'mix test', 'mix.exs'],
  ['tests', 'php artisan test', 'artisan', { family: 'php' }],
  ['tests', 'vendor/bin/pest', 'composer.json', { family: 'php', has: /"pestphp\/pest"/ }],
  ['tests', 'vendor/bin/phpunit', 'phpunit.xml phpunit.xml.dist', { family: 'php' }],
  ['types', 'vendor/bin/phpstan analyse', 'phpstan.neon phpstan.neon.dist phpstan.dist.neon'],
  ['tests', 'swift test', 'Package.swift'],
  ['tests', 'flutter test', 'pubspec.yaml', { family: 'dart', has: /^\s+sdk:\s*flutter/m }],
  ['tests', 'dart test', 'pubspec.yaml', { family: 'dart', has: /^dev_dependencies:/m }],
  ['tests', 'zig build test', 'build.zig'],
  [
    'tests',
    `${cmake} && ctest --test-dir build --output-on-failure`,
    'CMakeLists.txt',
    { family: 'cmake', has: /\b(?:enable_testing|include\s*\(\s*CTest|add_test)\b/i },
  ],
  ['build', cmake, 'CMakeLists.txt', { family: 'cmake' }],
  ['lint', 'pre-commit run --all-files', '.pre-commit-config.yaml'],
];

/** Also of projects whose tool always knows how to test. */
export function proposeTools(project: Project): readonly ProposedCheck[] {
  const { read } = project;
  const runner = runnerOfPython(project);
  const families = new Set<string>();
  const found: ProposedCheck[] = [];
  for (const [kind, command, files, { has, wrapper, family = command, isPython } = {}] of tools) {
    const file = files.split(' ').find((name) => {
      const text = read(name);
      return text !== undefined && (has?.test(text) ?? true);
    });
    if (file === undefined || families.has(family)) continue;
    families.add(family);
    const isWrapped = wrapper !== undefined && read(wrapper) !== undefined;
    const own = isWrapped ? command.replace(/^\S+/, `./${wrapper}`) : command;
    found.push(propose(kind, isPython ? `${runner}${own}` : own, file));
  }
  found.push(...proposeDotnet(project));
  // The hooks call a configured linter, which needs no network.
  const isHook = ({ command }: ProposedCheck) => command.startsWith('pre-commit ');
  const hasLint = found.some((check) => check.kind === 'lint' && !isHook(check));
  return found.filter((check) => !hasLint || !isHook(check));
}

const propose = (kind: ProposedCheck['kind'], command: string, file: string): ProposedCheck => ({
  kind,
  command,
  file,
  reason: `${kind}: ${file}`,
});

/** Else the project's own environment. */
function runnerOfPython({ read, list }: Project): string {
  const locker = ['uv', 'poetry'].find((program) => read(`${program}.lock`) !== undefined);
  if (locker !== undefined) return `${locker} run `;
  const own = ['.venv', 'venv'].find((folder) => list(`${folder}/bin`).includes('python'));
  return own === undefined ? '' : `${own}/bin/python -m `;
}

/** `dotnet test` finds a single solution or project itself; of several, the first solution is named. */
function proposeDotnet({ read, list }: Project): readonly ProposedCheck[] {
  const names = list('.');
  const solutions = names.filter((name) => /\.slnx?$/.test(name)).toSorted();
  const [file = names.find((name) => /\.(?:cs|fs|vb)proj$/.test(name))] = solutions;
  const found = file ?? ['global.json', 'Directory.Build.props'].find((name) => read(name) !== undefined);
  if (found === undefined) return [];
  const command = solutions.length > 1 && file !== undefined ? `dotnet test ${file}` : 'dotnet test';
  return [propose('tests', command, found)];
}
