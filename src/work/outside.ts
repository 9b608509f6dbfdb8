// Files in no tree that decide checks: settings at home, programs, ignored files. Digests tell changes since work
// began.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Called } from '../check/called-files.ts';
import { digestText } from '../digest.ts';
import type { FactOf } from '../event.ts';
import { orElse } from '../or-else.ts';
import type { Place } from '../place/place.ts';
import { readInside, readOutside } from '../plan/read-inside.ts';

type Digests = FactOf<'task-started'>['outside'];

const inHome = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.bunfig.toml',
  '.config/pnpm/rc',
  '.config/pip/pip.conf',
  '.config/uv/uv.toml',
  '.config/go/env',
  '.cargo/config.toml',
  '.gradle/init.gradle',
  '.gradle/gradle.properties',
  '.m2/settings.xml',
  '.rspec',
  '.bundle/config',
].map((file) => `~/${file}`);

const binFolders = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'];

/** `untracked`: called by checks, in no tree. */
export function readOutsideFiles(place: Place, called: Called, untracked: readonly string[]): Digests {
  const { root, env } = place.repo;
  const home = place.sandbox?.home ?? env['HOME'];
  const installed = called.programs.flatMap((program) =>
    binFolders.map((folder) => path.posix.join(folder, program)),
  );
  const texts = [
    ...inHome.map((file) => [file, readOutside(root, file, home)] as const),
    ...[...installed, ...untracked].map((file) => [file, readInside(root, file)] as const),
  ];
  return [
    ...texts.flatMap(([file, text]) => (text === undefined ? [] : [{ file, digest: digestText(text) }])),
    ...called.programs.flatMap((program) => readOwnProgram(place, program)),
  ];
}

/** First found in a person's own folder, where a session may put another. */
function readOwnProgram({ env, repo }: Place, program: string): Digests {
  const home = env['HOME'];
  if (home === undefined || !/^[\w.-]+$/.test(program)) return [];
  const files = (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, program));
  const statOf = (name: string) => orElse(() => statSync(name), undefined);
  const file = files.find((name) => statOf(name)?.isFile()) ?? '';
  const isOwn = file.startsWith(home + path.sep) && !file.startsWith(repo.root + path.sep);
  const { size, mtimeMs } = (isOwn ? statOf(file) : undefined) ?? {};
  return size === undefined ? [] : [{ file, digest: `${size} ${mtimeMs}` }];
}

/** A newly installed program changes no check; a new setting does. */
export function findChangedOutside(
  place: Place,
  before: Digests,
  called: Called,
): readonly Readonly<{ file: string; isNew: boolean }>[] {
  const was = new Map(before.map(({ file, digest }) => [file, digest]));
  const untracked = [...was.keys()].filter((file) => called.files.includes(file));
  const now = readOutsideFiles(place, called, untracked);
  const changed = now.filter(({ file, digest }) => {
    const isInstalled = binFolders.some((folder) => file.startsWith(`${folder}/`));
    return was.get(file) !== digest && !(isInstalled && !was.has(file));
  });
  const left = new Set(now.map(({ file }) => file));
  const gone = before.filter(
    ({ file }) => !left.has(file) && (file.startsWith('~/') || untracked.includes(file)),
  );
  return [...changed, ...gone].map(({ file }) => ({ file, isNew: !was.has(file) }));
}
