// Pure. New files that Python would import in the place of its own modules.
import path from 'node:path';

const modules = new Set(
  (
    'abc argparse ast asyncio base64 bisect collections contextlib copy csv dataclasses datetime decimal doctest enum errno ' +
    'fractions functools glob hashlib heapq importlib inspect io itertools json logging math operator os pathlib pickle ' +
    'platform pprint random re runpy shutil signal site socket sqlite3 statistics string struct subprocess sys tempfile ' +
    'textwrap threading time traceback types typing unittest uuid warnings weakref zipfile ' +
    'pytest _pytest pluggy coverage tox nox'
  ).split(' '),
);

/** Whether Python, started in one of the folders or on tests of this file's, would import it. */
export function shadowsModule(file: string, folders: readonly string[]): boolean {
  const module = file.replace(/(?:\/__(?:init|main)__)?\.py$/, '');
  const folder = path.posix.dirname(module);
  if (module === file || !modules.has(path.posix.basename(module))) return false;
  return folders.includes(folder) || /(?:^|\/)tests?$/.test(folder);
}
