// Checks that follow from a tool's own files rather than from scripts a project names: Python's tools, and one test
// command per kind of project. A table; it reads only by the reader it is given.
import type { ReadFile } from './named.ts';
import { sectionOf } from './test-config.ts';

/** A command that could be a check, with the file it was found in and why it is proposed. */
export type ProposedCheck = Readonly<{ command: string; file: string; reason: string }>;

/** Checks of projects whose tool always knows how to test. */
export function proposeTools(read: ReadFile): readonly ProposedCheck[] {
  return byFile.flatMap(({ files, ...proposal }) => proposeByFile(files, proposal, read));
}

function proposeByFile(
  files: readonly string[],
  { commands, reason, wrapper }: Omit<(typeof byFile)[number], 'files'>,
  read: ReadFile,
): ProposedCheck[] {
  const file = firstOf(files, read);
  if (file === undefined) return [];
  const own = wrapper !== undefined && read(wrapper[0]) !== undefined ? wrapper : undefined;
  return commands.map((command) => ({
    command: own ? command.replace(own[1], own[2]) : command,
    file,
    reason,
  }));
}

/** Checks of a Python project, by the tools that are set up, run by uv or poetry where they are used. */
export function proposePython(read: ReadFile): readonly ProposedCheck[] {
  const runner = [...pythonRunners].find(([lock]) => read(lock) !== undefined)?.[1] ?? '';
  return pythonTools.flatMap(({ program, section, files, reason }) => {
    const file = pythonFiles.find((name) => section(name, read(name) ?? '')) ?? firstOf(files, read);
    return file === undefined ? [] : [{ command: `${runner}${program}`, file, reason }];
  });
}

const pythonRunners = new Map([
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
]);

/** Files that several tools are set up in, or that name what is installed. */
const pythonFiles = ['pyproject.toml', 'tox.ini', 'setup.cfg', 'requirements-dev.txt', 'requirements.txt'];

const inProject =
  (name: string) =>
  (file: string, text: string): boolean =>
    file === 'pyproject.toml' && sectionOf(text, name) !== undefined;

const pythonTools: readonly Readonly<{
  program: string;
  /** Whether a shared file sets it up. */
  section: (file: string, text: string) => boolean;
  /** Files of its own. */
  files: readonly string[];
  reason: string;
}>[] = [
  {
    program: 'pytest',
    section: (_, text) => /\bpytest\b/.test(text),
    files: ['pytest.ini', '.pytest.ini'],
    reason: 'tests: pytest is set up',
  },
  {
    program: 'ruff check .',
    section: inProject('tool.ruff'),
    files: ['ruff.toml', '.ruff.toml'],
    reason: 'lint: ruff is set up',
  },
  {
    program: 'mypy .',
    section: inProject('tool.mypy'),
    files: ['mypy.ini', '.mypy.ini'],
    reason: 'types: mypy is set up',
  },
  {
    program: 'pyright',
    section: inProject('tool.pyright'),
    files: ['pyrightconfig.json'],
    reason: 'types: pyright is set up',
  },
];

function firstOf(files: readonly string[], read: ReadFile): string | undefined {
  return files.find((name) => read(name) !== undefined);
}

/** Projects whose tool always knows how to test: the first of the files that is there decides. */
const byFile: readonly Readonly<{
  files: readonly string[];
  commands: readonly string[];
  reason: string;
  wrapper?: readonly [file: string, program: string, own: string];
}>[] = [
  { files: ['go.mod'], commands: ['go test ./...', 'go vet ./...'], reason: 'a Go module' },
  { files: ['Cargo.toml'], commands: ['cargo test'], reason: 'a Rust package' },
  {
    files: ['pom.xml'],
    commands: ['mvn -q -B test'],
    reason: 'a Maven project',
    wrapper: ['mvnw', 'mvn', './mvnw'],
  },
  {
    files: ['build.gradle.kts', 'build.gradle'],
    commands: ['gradle test'],
    reason: 'a Gradle project',
    wrapper: ['gradlew', 'gradle', './gradlew'],
  },
  { files: ['.rspec'], commands: ['bundle exec rspec'], reason: 'RSpec is set up' },
  { files: ['mix.exs'], commands: ['mix test'], reason: 'an Elixir project' },
  {
    files: ['phpunit.xml', 'phpunit.xml.dist'],
    commands: ['vendor/bin/phpunit'],
    reason: 'PHPUnit is set up',
  },
  { files: ['Package.swift'], commands: ['swift test'], reason: 'a Swift package' },
  { files: ['build.zig'], commands: ['zig build test'], reason: 'a Zig project' },
  { files: ['global.json', 'Directory.Build.props'], commands: ['dotnet test'], reason: 'a .NET solution' },
];
