// `pawl migrate`: what pawl takes over from a ralphex setup, the project's and the user's, reported line by line. Writes
// only with --write, and overwrites nothing but a configuration that pawl init wrote and nobody changed.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { isStarter } from '../config/starter.ts';
import { makeFolder } from '../disk.ts';
import { exitCodes, Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findPlace, listPlans } from '../start/locate.ts';
import { createFile, writeFileAtomic } from '../write-file.ts';
import type { Command } from './command.ts';
import { formatMigrated, type Migrated } from './migrate/format-migrated.ts';
import { isPersons } from './migrate/own-texts.ts';
import { type RalphexFolder, readRalphexFolder } from './migrate/read-folder.ts';
import { translateFolder } from './migrate/translate-folder.ts';
import type { Values } from './migrate/translated.ts';
import { proposeChecksOf, refuseLinks } from './own-files.ts';

export type MigrateOptions = Readonly<{ write?: boolean; json?: boolean }>;

type Source = Readonly<{ from: string; to: string; root?: string; folder: RalphexFolder }>;
/** Reports and, with `write`, writes; exits with 3 if one of the user's files is in the way. */
export const migrateSetup: Command<MigrateOptions> = async (context, _args, { write = false, json }) => {
  const sources = findSources(context);
  if (sources.length === 0)
    throw new Failure('usage', 'there is no ralphex setup here: no .ralphex/ and no ~/.config/ralphex/', {
      hint: 'ralphex plans need no change: pawl run docs/plans/login.md. Other loops: docs/coming-from.md',
    });
  const judged = translate(context, sources).map(judgeFiles);
  // Everything is judged before anything is written.
  const migrated = write ? judged.map(writeFiles) : judged.map(({ told }) => told);
  // A text may contain secrets.
  const withoutTexts = migrated.map((each) => ({
    ...each,
    files: each.files.map(({ file, done }) => ({ file, done })),
  }));
  if (json) print(context, JSON.stringify(withoutTexts, null, 2));
  else printLines(context, formatMigrated(migrated, { write, plan: nameOwnPlan(context) }));
  const isKept = migrated.some(({ files }) => files.some(({ done }) => done === 'kept'));
  return write && isKept ? exitCodes.needsPerson : exitCodes.done;
};

function findSources(context: CliContext): readonly Source[] {
  const { env, folders, cwd } = context;
  const root = findPlace(cwd)?.root;
  const user = env['RALPHEX_CONFIG_DIR'] || path.join(folders.home, '.config', 'ralphex');
  const own = root === undefined ? undefined : path.join(root, '.ralphex');
  const found = [
    ...(root === undefined || own === undefined
      ? []
      : [{ from: own, to: path.join(root, '.pawl'), root, folder: readRalphexFolder(own, root) }]),
    { from: user, to: folders.config, folder: own === user ? undefined : readRalphexFolder(user) },
  ];
  return found.flatMap(({ folder, ...rest }) => (folder ? [{ ...rest, folder }] : []));
}

function translate(context: CliContext, sources: readonly Source[]) {
  const reviewers = new Set([
    ...readdirSync(path.join(context.packageRoot, 'templates', 'reviewers')).map(
      (name) => path.parse(name).name,
    ),
    ...sources.flatMap(({ folder }) =>
      folder.texts.flatMap(({ name }) => /^agents\/(.+)$/.exec(name)?.[1] ?? []),
    ),
  ]);
  return sources.map((source, at) => {
    // The project's settings take precedence over the user's, which the project does not know.
    const values = valuesOf(context, sources.slice(at));
    const around = { plansFolder: values.get('plans_dir') ?? 'docs/plans', reviewers };
    const tellsReview = at === sources.length - 1;
    const from = shorten(context, source.from);
    const checks =
      source.root === undefined
        ? []
        : (readStarterChecks(source.to) ?? proposeChecksOf(source.root).map(({ command }) => command));
    const options = { values, around, from, tellsReview, checks };
    return { source, from, to: shorten(context, source.to), made: translateFolder(source.folder, options) };
  });
}

/** The checks in a configuration that `pawl init` wrote and nobody has changed since; it is replaced. */
function readStarterChecks(folder: string): readonly string[] | undefined {
  const text = orElse(() => readFileSync(path.join(folder, 'config.yaml'), 'utf8'), '');
  if (!isStarter(text)) return undefined;
  const { checks = [] } = (parse(text) ?? {}) as { checks?: readonly string[] };
  return checks;
}

function valuesOf({ folders }: CliContext, sources: readonly Source[]): Values {
  const all = new Map(
    sources
      .toReversed()
      .flatMap(({ folder }) => [
        ...folder.texts.filter(({ text }) => isPersons(text)).map(({ name, text }) => [name, text] as const),
        ...folder.lines.filter(({ value }) => value !== '').map(({ key, value }) => [key, value] as const),
      ]),
  );
  return { get: (key) => all.get(key), home: folders.home, isProject: sources[0]?.root !== undefined };
}

type Judged = Readonly<{ source: Source; told: Migrated }>;

function judgeFiles({ source, from, to, made }: ReturnType<typeof translate>[number]): Judged {
  const files = made.files.map((each) => {
    const file = path.join(source.to, each.file);
    if (source.root !== undefined)
      refuseLinks(source.root, file, { isRefused: () => true, command: 'pawl migrate' });
    const isNew = !lstatSync(file, { throwIfNoEntry: false });
    if (isNew || (each.file === 'config.yaml' && readStarterChecks(source.to)))
      return { ...each, done: 'to write' as const };
    return {
      ...each,
      done:
        orElse(() => readFileSync(file, 'utf8'), undefined) === each.text
          ? ('same' as const)
          : ('kept' as const),
    };
  });
  return { source, told: { from, to, entries: made.entries, files } };
}

function writeFiles({ source, told }: Judged): Migrated {
  const files = told.files.map((each) => {
    if (each.done !== 'to write') return each;
    const file = path.join(source.to, each.file);
    makeFolder(path.dirname(file));
    const mode = source.root === undefined ? 0o600 : 0o644;
    if (existsSync(file)) writeFileAtomic(file, each.text, mode);
    else createFile(file, each.text, mode);
    return { ...each, done: 'wrote' as const };
  });
  return { ...told, files };
}

/** A plan to continue with: this repository's latest, from where the person is. */
function nameOwnPlan({ cwd }: CliContext): string {
  const root = findPlace(cwd)?.root;
  const plan = root === undefined ? undefined : listPlans(root).at(-1);
  return plan === undefined ? 'docs/plans/login.md' : path.relative(cwd, plan);
}

function shorten({ cwd, folders }: CliContext, folder: string): string {
  const near = path.relative(cwd, folder);
  if (!near.startsWith('..')) return near;
  return folder.startsWith(folders.home + path.sep) ? `~${folder.slice(folders.home.length)}` : folder;
}
