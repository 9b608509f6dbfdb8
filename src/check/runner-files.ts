// Which files a check's runner, wrapper or package manager reads by itself, or would run in its own place, as a table. They may
// be ordinary work, so a change of one is asked about; what a runner's main configuration says is test-config.ts's.
import path from 'node:path';
import { type Definition, define, foldersAbove, foldersUpward, placeOf, type ReadFile } from './named.ts';

/** The files that a program reads beside its main configuration when it is started so in the folder. */
export function nameRunnerFiles(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): readonly Definition[] {
  const found = rows
    .filter(({ programs }) => programs.test(program))
    .flatMap(({ files, where = 'above', inWords }) => {
      const named = inWords ? args.flatMap((word) => placeOf(folder, word) ?? []).flatMap(foldersUpward) : [];
      const folders = [...new Set([...(where === 'here' ? [folder] : foldersAbove(folder)), ...named])];
      return folders.flatMap((at) => files.map((file) => path.posix.join(at, file)));
    });
  const shadows = isPythonTool(program)
    ? shadowsOf(program).map((file) => path.posix.join(folder, file))
    : [];
  const below = (read.touched ?? [])
    .filter((file) => readsBelow(program, folder, file) || shadowsLibrary(program, args, { folder, file }))
    .map(
      (file) => ({ ...define(file, undefined, read(file) ?? ''), readBy: program, mayChange: true }) as const,
    );
  return [...[...found, ...shadows].flatMap((file) => defineRead(file, read, program)), ...below];
}

/** Whether Python, started so in the folder, may import the file for a module of its standard library: it stands in the folder, or in that of a script or folder among its words. */
function shadowsLibrary(
  program: string,
  args: readonly string[],
  { folder, file }: Readonly<{ folder: string; file: string }>,
): boolean {
  if (!isPythonTool(program) && !/^(?:python[\d.]*|pypy\d*)$/.test(program)) return false;
  const module = file.replace(/(?:\/__init__)?\.py$/, '');
  if (module === file || !standardLibrary.has(path.posix.basename(module))) return false;
  const places = args.flatMap((word) => placeOf(folder, word) ?? []);
  const named = places.map((place) => (place.endsWith('.py') ? path.posix.dirname(place) : place));
  return [folder, ...named].includes(path.posix.dirname(module));
}

/** Whether the program reads a file of this name wherever it lies below its folder. */
function readsBelow(program: string, folder: string, file: string): boolean {
  const isBelow = folder === '.' || file.startsWith(`${folder}/`);
  const name = path.posix.basename(file);
  return isBelow && anywhere.some(({ programs, names }) => programs.test(program) && names.test(name));
}

const anywhere: readonly Readonly<{ programs: RegExp; names: RegExp }>[] = [
  { programs: /^(?:pytest|py\.test)$/, names: /^conftest\.py$/ },
  { programs: /^eslint$/, names: /^\.eslint(?:rc(?:\.\w+)?|ignore)$/ },
  { programs: /^prettier$/, names: /^\.(?:prettierrc(?:\.\w+)?|prettierignore|editorconfig)$/ },
  { programs: /^rubocop$/, names: /^\.rubocop\.yml$/ },
];

/** Whether `python -m` means the installed program of that name, also where a file of the tree stands in its place. */
export function isPythonTool(module: string): boolean {
  return pythonTools.test(module);
}

type Row = Readonly<{
  programs: RegExp;
  files: readonly string[];
  /** `above`, the default: in the folder and those above it, the repository's root not the last. */
  where?: 'here' | 'above';
  /** In the folders that its words name, too. */
  inWords?: boolean;
}>;

const npm = ['.npmrc'];
const babel = ['babel.config.js', 'babel.config.cjs', 'babel.config.mjs', 'babel.config.json'];
const pythonTools =
  /^(?:pytest|py\.test|unittest|coverage|tox|nox|nose2|behave|robot|doctest|mypy|ruff|flake8|pylint|black|isort)$/;

const rows: readonly Row[] = [
  { programs: /^(?:npm|npx)$/, files: npm },
  { programs: /^pnp[mx]$/, files: [...npm, '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpm-workspace.yaml'] },
  { programs: /^yarn$/, files: [...npm, '.yarnrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs'] },
  { programs: /^bunx?$/, files: [...npm, 'bunfig.toml', '.bunfig.toml'] },
  { programs: /^jest$/, files: [...babel, '.babelrc', '.babelrc.js', '.babelrc.json'] },
  { programs: /^_?mocha$/, files: ['test/mocha.opts'], where: 'here' },
  {
    programs: /^vitest$/,
    files: ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `vitest.workspace.${ending}`),
  },
  {
    programs: /^(?:pytest|py\.test)$/,
    files: ['conftest.py', 'tests/conftest.py', 'test/conftest.py'],
    inWords: true,
  },
  {
    programs: pythonTools,
    files: ['sitecustomize.py', 'usercustomize.py'],
    where: 'here',
  },
  { programs: /^(?:uv|uvx)$/, files: ['uv.toml'] },
  { programs: /^poetry$/, files: ['poetry.toml'], where: 'here' },
  { programs: /^hatch$/, files: ['hatch.toml'], where: 'here' },
  { programs: /^cargo$/, files: ['rust-toolchain.toml', 'rust-toolchain'] },
  { programs: /^go$/, files: ['go.work'] },
  { programs: /^rspec$/, files: ['.rspec-local'], where: 'here' },
  { programs: /^(?:bundle|rspec|rake)$/, files: ['.bundle/config'], where: 'here' },
  { programs: /^rake$/, files: ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'] },
  { programs: /^gradlew?$/, files: ['gradle.properties', 'gradle/wrapper/gradle-wrapper.properties'] },
  { programs: /^mvnw?$/, files: ['.mvn/maven.config', '.mvn/jvm.config', '.mvn/extensions.xml'] },
  {
    programs: /^dotnet$/,
    files: ['Directory.Build.props', 'Directory.Build.targets', 'nuget.config', 'global.json'],
  },
  { programs: /^(?:bazel|bazelisk)$/, files: ['.bazelrc', '.bazelversion'] },
  { programs: /^ctest$/, files: ['CTestCustom.cmake', 'CTestCustom.ctest'], where: 'here' },
  { programs: /^mise$/, files: ['mise.toml', '.mise.toml', '.tool-versions'] },
  { programs: /^direnv$/, files: ['.envrc'] },
  { programs: /^dotenvx?$/, files: ['.env'], where: 'here' },
];

/** Files of the folder that Python would take for the tool itself. */
function shadowsOf(program: string): readonly string[] {
  const modules = program === 'pytest' || program === 'py.test' ? ['pytest', '_pytest', 'pluggy'] : [program];
  return modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`, `${name}/__main__.py`]);
}

function defineRead(file: string, read: ReadFile, readBy: string): readonly Definition[] {
  const text = read(file);
  return text === undefined ? [] : [{ ...define(file, undefined, text), readBy, mayChange: true }];
}

/** The program itself where a package manager installed it: that one is there for the first time is no change of a check. */
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

/** Modules of Python's standard library, as `sys.stdlib_module_names` of 3.11 has them. */
const standardLibrary: ReadonlySet<string> = new Set(
  [
    'abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb',
    'binascii bisect bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections',
    'colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt',
    'csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings',
    'ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc',
    'genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib',
    'imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale',
    'logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis',
    'nntplib nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools',
    'pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile',
    'pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy',
    'sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket',
    'socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep',
    'struct subprocess sunau symtable sysconfig syslog tabnanny tarfile telnetlib tempfile termios',
    'textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle',
    'types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref',
    'xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo',
  ].flatMap((line) => line.split(' ')),
);
