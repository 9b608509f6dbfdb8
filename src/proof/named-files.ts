// Pure. Files that decide a check though their names do not say so.
import path from 'node:path';
import { findCalled } from '../check/called-files.ts';
import { classify } from '../check/classes.ts';
import type { ReadFile } from '../check/read-file.ts';

/** `settings`: texts of configuration files. `read`: a file of the work. */
export function findNamedFiles(
  files: readonly string[],
  {
    commands,
    settings,
    read,
  }: Readonly<{ commands: readonly string[]; settings: readonly string[]; read: ReadFile }>,
): ReadonlySet<string> {
  const run = commands.flatMap((command) => findCalled(command, '.', read).files);
  const loaded = settings.flatMap(setupsOf);
  return new Set([...run, ...files.filter((file) => loaded.some((name) => isMeant(file, name)))]);
}

/** Data that a check compares with what a program printed. */
export function findComparedFiles(
  files: readonly string[],
  commands: readonly string[],
): ReadonlySet<string> {
  const words = new Set(
    commands
      .filter((command) => /(?:^|[\s;&|(])(?:diff|cmp|comm)\s/.test(command))
      .flatMap((command) => command.match(/[\w./-]+/g) ?? [])
      .map((word) => path.posix.normalize(word)),
  );
  return new Set(files.filter((file) => words.has(file) && ['docs', 'support'].includes(classify(file))));
}

const setupKey =
  /(?:setup\w*|globalSetup|globalTeardown|require|import|preload|plugins?|snapshotSerializers|testEnvironment|runner|reporters?|loader|file)["']?\s*[:=]\s*(\[[^\]]*\]|["'][^"'\n]*["']|[^\s,}]+)|(?:-r|-p|--require|--import|--loader|--preload|--setup\w*)[ =](\S+)/g;

function setupsOf(text: string): readonly string[] {
  return [...text.matchAll(setupKey)].flatMap(([, value = '', option = '']) =>
    [...`${value} ${option}`.matchAll(/[\w@./-]*[\w-]/g)]
      .map(([name]) => name)
      .filter((name) => /[./]/.test(name)),
  );
}

/** A name in settings may lack its extension, and is relative to some folder. */
function isMeant(file: string, name: string): boolean {
  const meant = path.posix.normalize(name.replace(/^(?:\.{0,2}\/)+/, ''));
  return [file, file.replace(/\.\w+$/, '')].some((known) => known === meant || known.endsWith(`/${meant}`));
}
