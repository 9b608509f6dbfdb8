// Which checks a project offers, read from the files its tools keep at the root. Proposals for a person to accept: it
// runs nothing and takes no script that would not end by itself.

import { parseJustfile } from './justfile.ts';
import { parseMakefile } from './makefile.ts';
import type { ReadFile } from './named.ts';
import { parseObject } from './package-script.ts';
import type { RecipeBook } from './recipe.ts';
import { parseTaskfile } from './taskfile.ts';
import { sectionOf } from './test-config.ts';

/** A command that could be a check, with the file it was found in and why it is proposed. */
export type ProposedCheck = Readonly<{ command: string; file: string; reason: string }>;

/** The checks a project offers, the most telling first; `read` gets paths relative to the project's root. */
export function proposeChecks(read: ReadFile): readonly ProposedCheck[] {
  const proposals = [
    ...fromPackage(read),
    ...fromDeno(read),
    ...fromPython(read),
    ...fromRecipes(read),
    ...byFile.flatMap(({ files, ...proposal }) => proposeByFile(files, proposal, read)),
  ];
  return proposals.filter(
    ({ command }, at) => proposals.findIndex((other) => other.command === command) === at,
  );
}

/** Script and target names in the order they are proposed, one of each group. */
const wanted: readonly (readonly [reason: string, names: readonly string[]])[] = [
  ['tests', ['test', 'tests', 'test:unit', 'unit', 'test:ci']],
  ['types', ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc', 'ts']],
  ['lint', ['lint', 'lint:check', 'eslint', 'clippy', 'vet']],
  [
    'formatting',
    ['format:check', 'check:format', 'fmt:check', 'fmt-check', 'format-check', 'prettier:check'],
  ],
  ['all checks', ['check', 'verify', 'ci', 'validate']],
];

function choose(names: ReadonlySet<string>): readonly { name: string; reason: string }[] {
  return wanted.flatMap(([reason, group]) => {
    const name = group.find((each) => names.has(each));
    return name === undefined ? [] : [{ name, reason }];
  });
}

function fromPackage(read: ReadFile): ProposedCheck[] {
  const parsed = parseObject(read('package.json') ?? '');
  const scripts = Object.entries((parsed?.['scripts'] ?? {}) as Record<string, unknown>);
  const usable = scripts.filter(
    ([, text]) => typeof text === 'string' && text.trim() !== '' && !endless.test(text),
  );
  const run = runnerOf(parsed?.['packageManager'], read);
  return choose(new Set(usable.map(([name]) => name))).map(({ name, reason }) => ({
    command: name === 'test' && run !== 'bun' ? `${run} test` : `${run} run ${name}`,
    file: 'package.json',
    reason: `${reason}: script ${name}`,
  }));
}

/** npm's placeholder, and scripts that wait for changes. */
const endless = /no test specified|(?:^|\s)--watch(?:All)?(?!=false)\b|^\s*(?:nodemon|vite|webpack serve)\b/;

function runnerOf(packageManager: unknown, read: ReadFile): string {
  const named =
    typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined;
  if (named !== undefined) return named;
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const;
  return locks.find(([file]) => read(file) !== undefined)?.[1] ?? 'npm';
}

function fromDeno(read: ReadFile): ProposedCheck[] {
  const file = ['deno.json', 'deno.jsonc'].find((name) => read(name) !== undefined);
  if (file === undefined) return [];
  const tasks = (parseObject(read(file) ?? '')?.['tasks'] ?? {}) as Record<string, unknown>;
  const chosen = choose(new Set(Object.keys(tasks)));
  if (chosen.length === 0) return [{ command: 'deno test', file, reason: 'tests: Deno’s own runner' }];
  return chosen.map(({ name, reason }) => ({
    command: `deno task ${name}`,
    file,
    reason: `${reason}: task ${name}`,
  }));
}

function fromPython(read: ReadFile): ProposedCheck[] {
  const project = read('pyproject.toml') ?? '';
  const files = [
    'pyproject.toml',
    'pytest.ini',
    '.pytest.ini',
    'tox.ini',
    'setup.cfg',
    'requirements-dev.txt',
    'requirements.txt',
  ];
  const mentioning = (word: RegExp): string | undefined => files.find((file) => word.test(read(file) ?? ''));
  const run =
    read('uv.lock') !== undefined ? 'uv run ' : read('poetry.lock') !== undefined ? 'poetry run ' : '';
  const propose = (program: string, file: string | undefined, reason: string): ProposedCheck[] =>
    file === undefined ? [] : [{ command: `${run}${program}`, file, reason }];
  const hasSection = (section: string): boolean => sectionOf(project, section) !== undefined;
  return [
    ...propose('pytest', mentioning(/\bpytest\b/), 'tests: pytest is set up'),
    ...propose(
      'ruff check .',
      hasSection('tool.ruff')
        ? 'pyproject.toml'
        : ['ruff.toml', '.ruff.toml'].find((file) => read(file) !== undefined),
      'lint: ruff is set up',
    ),
    ...propose(
      'mypy .',
      hasSection('tool.mypy')
        ? 'pyproject.toml'
        : ['mypy.ini', '.mypy.ini'].find((file) => read(file) !== undefined),
      'types: mypy is set up',
    ),
    ...propose(
      'pyright',
      read('pyrightconfig.json') === undefined ? undefined : 'pyrightconfig.json',
      'types: pyright is set up',
    ),
  ];
}

const recipeFiles: readonly Readonly<{
  files: readonly string[];
  program: string;
  parse: (text: string) => RecipeBook;
}>[] = [
  { files: ['GNUmakefile', 'makefile', 'Makefile'], program: 'make', parse: parseMakefile },
  { files: ['justfile', 'Justfile', '.justfile'], program: 'just', parse: parseJustfile },
  { files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'], program: 'task', parse: parseTaskfile },
];

function fromRecipes(read: ReadFile): ProposedCheck[] {
  return recipeFiles.flatMap(({ files, program, parse }) => {
    const file = files.find((name) => read(name) !== undefined);
    if (file === undefined) return [];
    const { recipes } = parse(read(file) ?? '');
    return choose(new Set(recipes.keys())).map(({ name, reason }) => ({
      command: `${program} ${name}`,
      file,
      reason: `${reason}: target ${name}`,
    }));
  });
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

function proposeByFile(
  files: readonly string[],
  { commands, reason, wrapper }: Omit<(typeof byFile)[number], 'files'>,
  read: ReadFile,
): ProposedCheck[] {
  const file = files.find((name) => read(name) !== undefined);
  if (file === undefined) return [];
  const own = wrapper !== undefined && read(wrapper[0]) !== undefined ? wrapper : undefined;
  return commands.map((command) => ({
    command: own ? command.replace(own[1], own[2]) : command,
    file,
    reason,
  }));
}
