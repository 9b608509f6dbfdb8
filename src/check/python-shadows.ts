// Files that Python would take for a module of its own, or for an installed tool, because of where they are.
import path from 'node:path';
import { placesOf } from './named.ts';

/** Programs that are Python modules. */
export const pythonTools =
  /^(?:pytest|py\.test|unittest|coverage|tox|nox|nose2|behave|robot|doctest|mypy|ruff|flake8|pylint|black|isort)$/;

/** Whether `python -m` means the installed program of that name, even if a file in the tree could take its place. */
export function isPythonTool(module: string): boolean {
  return pythonTools.test(module);
}

/**
 * Whether Python, started like this in the folder, may import the file instead of a module of its standard library: it is
 * in the folder, or in that of a script or folder among its words.
 */
export function shadowsLibrary(
  program: string,
  args: readonly string[],
  { folder, file }: Readonly<{ folder: string; file: string }>,
): boolean {
  if (!isPythonTool(program) && !/^(?:python[\d.]*|pypy\d*)$/.test(program)) return false;
  const module = file.replace(/(?:\/__init__)?\.py$/, '');
  if (module === file || !standardLibrary.has(path.posix.basename(module))) return false;
  const named = placesOf(args, folder).map((place) =>
    place.endsWith('.py') ? path.posix.dirname(place) : place,
  );
  return [folder, ...named].includes(path.posix.dirname(module));
}

/** Files of the folder that Python would take for the tool itself. */
export function shadowsOf(program: string): readonly string[] {
  const modules = program === 'pytest' || program === 'py.test' ? ['pytest', '_pytest', 'pluggy'] : [program];
  return modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`, `${name}/__main__.py`]);
}

/** Modules of Python's standard library, from `sys.stdlib_module_names` of 3.11. */
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
