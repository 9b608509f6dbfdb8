// Which files a check's runner, wrapper or package manager reads by itself, or would run in its own place, as a table. They
// may be ordinary work, so a change of one is asked about; a runner's main configuration is handled by test-config.ts.
import path from 'node:path';
import { sectionOf } from './config-part.ts';
import { type Definition, define, foldersAbove, foldersUpward, placesOf, type ReadFile } from './named.ts';
import { isPythonTool, pythonTools, shadowsLibrary, shadowsOf } from './python-shadows.ts';

/** The files besides its main configuration that a program reads if it is started like this in the folder. */
export function nameRunnerFiles(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): readonly Definition[] {
  const found = rows
    .filter(({ programs }) => programs.test(program))
    .flatMap(({ files, sections = [], where = 'above', inWords, home = [] }) => {
      const named = inWords ? placesOf(args, folder).flatMap(foldersUpward) : [];
      const folders = [...new Set([...(where === 'here' ? [folder] : foldersAbove(folder)), ...named])];
      const placed = folders.flatMap((at) => [
        ...files.map((file) => ({ file: path.posix.join(at, file) })),
        ...sections.map(([file, section]) => ({ file: path.posix.join(at, file), section })),
      ]);
      // The home folder may be one of those above the root: its file is named once.
      const isNamed = (name: string): boolean =>
        placed.some(({ file }) => file.replace(/^(?:\.\.\/)+/, '~/') === name && read(file) !== undefined);
      const own = home.map((file) => `~/${file}`).filter((file) => !isNamed(file));
      return [...placed, ...own.map((file) => ({ file }))];
    });
  const shadows = isPythonTool(program)
    ? shadowsOf(program).map((file) => ({ file: path.posix.join(folder, file) }))
    : [];
  const below = (read.touched ?? [])
    .filter(
      (file) =>
        readsBelow(program, args, { folder, file }) || shadowsLibrary(program, args, { folder, file }),
    )
    .map(
      (file) => ({ ...define(file, undefined, read(file) ?? ''), readBy: program, mayChange: true }) as const,
    );
  return [...[...found, ...shadows].flatMap((part) => defineRead(part, read, program)), ...below];
}

/** Whether the program reads a file of this name anywhere below its folder, or below one that its words name. */
function readsBelow(
  program: string,
  args: readonly string[],
  { folder, file }: Readonly<{ folder: string; file: string }>,
): boolean {
  const isBelow = [folder, ...placesOf(args, folder)].some((at) => at === '.' || file.startsWith(`${at}/`));
  const name = path.posix.basename(file);
  return isBelow && anywhere.some(({ programs, names }) => programs.test(program) && names.test(name));
}

const anywhere: readonly Readonly<{ programs: RegExp; names: RegExp }>[] = [
  { programs: /^(?:pytest|py\.test)$/, names: /^conftest\.py$/ },
  { programs: /^eslint$/, names: /^\.eslint(?:rc(?:\.\w+)?|ignore)$/ },
  { programs: /^prettier$/, names: /^\.(?:prettierrc(?:\.\w+)?|prettierignore|editorconfig)$/ },
  { programs: /^rubocop$/, names: /^\.rubocop\.yml$/ },
];

type Row = Readonly<{
  programs: RegExp;
  files: readonly string[];
  /** Files of several programs, with the section that is this one's. */
  sections?: readonly (readonly [file: string, section: string])[];
  /** `above`, the default: in the folder and those above it, even beyond the repository's root. */
  where?: 'here' | 'above';
  /** Also in the folders that its words name. */
  inWords?: boolean;
  /** In the home folder, wherever the repository is. */
  home?: readonly string[];
}>;

const npm = ['.npmrc'];
const babel = ['babel.config.js', 'babel.config.cjs', 'babel.config.mjs', 'babel.config.json'];
const anyOf = (name: string, endings: readonly string[]): readonly string[] =>
  endings.map((ending) => `${name}.${ending}`);
const scripts = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];

const rows: readonly Row[] = [
  { programs: /^(?:npm|npx)$/, files: npm, home: npm },
  {
    programs: /^pnp[mx]$/,
    files: [...npm, '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpm-workspace.yaml'],
    home: [...npm, '.config/pnpm/rc', '.config/pnpm/config.yaml'],
  },
  {
    programs: /^yarn$/,
    files: [...npm, '.yarnrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs'],
    home: [...npm, '.yarnrc', '.yarnrc.yml'],
  },
  { programs: /^bunx?$/, files: [...npm, 'bunfig.toml', '.bunfig.toml'], home: [...npm, '.bunfig.toml'] },
  { programs: /^jest$/, files: [...babel, '.babelrc', '.babelrc.js', '.babelrc.json'] },
  { programs: /^_?mocha$/, files: ['test/mocha.opts'], where: 'here' },
  {
    programs: /^vitest$/,
    files: [...anyOf('vitest.workspace', [...scripts, 'json']), ...anyOf('vite.config', scripts)],
  },
  {
    programs: /^jasmine$/,
    files: anyOf('spec/support/jasmine', ['json', 'js', 'mjs', 'cjs']),
    where: 'here',
  },
  { programs: /^(?:wtr|web-test-runner)$/, files: anyOf('web-test-runner.config', ['js', 'mjs', 'cjs']) },
  {
    programs: /^(?:pytest|py\.test)$/,
    files: ['conftest.py', 'tests/conftest.py', 'test/conftest.py'],
    inWords: true,
  },
  {
    programs: new RegExp(`^(?:python[\\d.]*|pypy\\d*)$|${pythonTools.source}`),
    files: ['sitecustomize.py', 'usercustomize.py'],
    where: 'here',
    inWords: true,
  },
  {
    programs: /^(?:coverage|pytest|py\.test)$/,
    files: ['.coveragerc'],
    sections: [
      ['pyproject.toml', 'tool.coverage'],
      ['setup.cfg', 'coverage'],
      ['tox.ini', 'coverage'],
    ],
    where: 'here',
  },
  { programs: /^behave$/, files: ['behave.ini', '.behaverc'], where: 'here' },
  { programs: /^(?:uv|uvx)$/, files: ['uv.toml'], home: ['.config/uv/uv.toml'] },
  { programs: /^poetry$/, files: ['poetry.toml'], where: 'here' },
  { programs: /^hatch$/, files: ['hatch.toml'], where: 'here' },
  {
    programs: /^cargo$/,
    files: ['rust-toolchain.toml', 'rust-toolchain', '.config/nextest.toml'],
    home: ['.cargo/config.toml', '.cargo/config'],
  },
  { programs: /^go$/, files: ['go.work'], home: ['.config/go/env'] },
  { programs: /^rspec$/, files: ['.rspec-local'], where: 'here', home: ['.rspec'] },
  {
    programs: /^(?:bundle|rspec|rake)$/,
    files: ['.bundle/config'],
    where: 'here',
    home: ['.bundle/config'],
  },
  { programs: /^rake$/, files: ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'] },
  {
    programs: /^gradlew?$/,
    files: ['gradle.properties', 'gradle/wrapper/gradle-wrapper.properties'],
    home: ['gradle.properties', 'init.gradle', 'init.gradle.kts'].map((file) => `.gradle/${file}`),
  },
  {
    programs: /^mvnw?$/,
    files: ['maven.config', 'jvm.config', 'extensions.xml', 'wrapper/maven-wrapper.properties'].map(
      (file) => `.mvn/${file}`,
    ),
    home: ['.m2/settings.xml', '.mavenrc'],
  },
  {
    programs: /^dotnet$/,
    files: ['Directory.Build.props', 'Directory.Build.targets', 'nuget.config', 'global.json'],
  },
  { programs: /^(?:bazel|bazelisk)$/, files: ['.bazelrc', '.bazelversion'], home: ['.bazelrc'] },
  { programs: /^mix$/, files: ['test/test_helper.exs'], where: 'here' },
  { programs: /^(?:dart|flutter)$/, files: ['dart_test.yaml'], where: 'here' },
  { programs: /^busted$/, files: ['.busted'], where: 'here' },
  { programs: /^bats$/, files: ['setup_suite.bash'], where: 'here', inWords: true },
  { programs: /^ctest$/, files: ['CTestCustom.cmake', 'CTestCustom.ctest'], where: 'here' },
  {
    programs: /^mise$/,
    files: ['mise.toml', '.mise.toml', '.tool-versions'],
    home: ['.config/mise/config.toml'],
  },
  { programs: /^direnv$/, files: ['.envrc'] },
  { programs: /^dotenvx?$/, files: ['.env'], where: 'here' },
  { programs: /^eslint$/, files: anyOf('eslint.config', scripts) },
  { programs: /^biome$/, files: anyOf('biome', ['json', 'jsonc']) },
  { programs: /^stylelint$/, files: [...anyOf('stylelint.config', scripts), ...rcOf('.stylelintrc')] },
  {
    programs: /^ruff$/,
    files: ['ruff.toml', '.ruff.toml'],
    sections: [['pyproject.toml', 'tool.ruff']],
    home: ['.config/ruff/ruff.toml'],
  },
  {
    programs: /^(?:mypy|dmypy)$/,
    files: ['mypy.ini', '.mypy.ini'],
    sections: [
      ['pyproject.toml', 'tool.mypy'],
      ['setup.cfg', 'mypy'],
    ],
    where: 'here',
    home: ['.mypy.ini', '.config/mypy/config'],
  },
  {
    programs: /^flake8$/,
    files: ['.flake8'],
    sections: [
      ['setup.cfg', 'flake8'],
      ['tox.ini', 'flake8'],
    ],
    where: 'here',
  },
  {
    programs: /^pylint$/,
    files: ['pylintrc', '.pylintrc'],
    sections: [['pyproject.toml', 'tool.pylint']],
    home: ['.pylintrc', '.config/pylintrc'],
  },
  { programs: /^golangci-lint$/, files: anyOf('.golangci', ['yml', 'yaml', 'toml', 'json']) },
  {
    programs: /^shellcheck$/,
    files: ['.shellcheckrc', 'shellcheckrc'],
    home: ['.shellcheckrc', '.config/shellcheckrc'],
  },
];

function rcOf(name: string): readonly string[] {
  return [name, ...anyOf(name, ['json', 'yaml', 'yml', ...scripts])];
}

function defineRead(
  { file, section }: Readonly<{ file: string; section?: string }>,
  read: ReadFile,
  readBy: string,
): readonly Definition[] {
  const whole = read(file);
  const text = whole === undefined || section === undefined ? whole : sectionOf(whole, section);
  return text === undefined ? [] : [{ ...define(file, section, text), readBy, mayChange: true }];
}

/** The program itself if a package manager installed it: its first appearance is not a change of a check. */
export function nameInstalled(
  program: string,
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): readonly Definition[] {
  if (!/^[\w.-]+$/.test(program)) return [];
  const files = foldersUpward(folder).flatMap((at) =>
    ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'].map((bin) =>
      path.posix.join(at, bin, program),
    ),
  );
  return files.flatMap((file) => {
    const text = read(file);
    return text === undefined ? [] : [{ ...define(file, undefined, text), mayChange: true }];
  });
}
