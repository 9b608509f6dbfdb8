// `pawl migrate`: what pawl takes over from ralphex. Writes only with --write, and overwrites only an unchanged
// configuration of pawl init.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { nest } from '../config/layer.ts';
import { isStarter } from '../config/starter.ts';
import { makeFolder } from '../disk.ts';
import { exitCodes, Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { type CliContext, print } from '../start/context.ts';
import { findPlace } from '../start/locate.ts';
import { createFile, writeFileAtomic } from '../write-file.ts';
import type { Command } from './command.ts';
import { isPersons, type RalphexFolder, readRalphexFolder } from './migrate/read-folder.ts';
import { type RalphexValues, reviewStages, translateSetting } from './migrate/settings.ts';
import { proposeChecksOf, refuseLinks } from './own-files.ts';

export type MigrateOptions = Readonly<{ write?: boolean }>;

type Source = Readonly<{ from: string; to: string; root: string | undefined; folder: RalphexFolder }>;
type MadeFile = Readonly<{ file: string; text: string }>;
type Migrated = Readonly<{ source: Source; lines: readonly string[]; files: readonly MadeFile[] }>;

/** Exits with 3 if a file of the user's is in the way. */
export const migrateSetup: Command<MigrateOptions> = async (context, _args, { write = false }) => {
  const sources = findSources(context);
  if (sources.length === 0)
    throw new Failure('usage', 'there is no ralphex setup here: no .ralphex/ and no ~/.config/ralphex/', {
      hint: 'ralphex plans need no change: pawl run docs/plans/login.md. Other loops: docs/coming-from.md',
    });
  // Everything is judged before anything is written.
  const all = sources.map((source, at) => translate(source, sources.slice(at), at === sources.length - 1));
  for (const { source, files } of all) for (const made of files) settle(source, made, false);
  let isKept = false;
  for (const { source, lines, files } of all) {
    print(context, [`${source.from} → ${source.to}`, ...lines.map((line) => `  ${line}`)].join('\n'));
    for (const made of files) {
      const done = settle(source, made, write);
      isKept ||= done === 'kept';
      print(context, `  ${done.padEnd(11)} ${path.join(source.to, made.file)}`);
    }
  }
  const next = write ? 'Next: pawl trust, pawl doctor, pawl lint PLAN' : 'To write it: pawl migrate --write';
  print(context, next);
  if (isKept) print(context, 'What was kept says something else: add by hand what is new.');
  return write && isKept ? exitCodes.needsPerson : exitCodes.done;
};

function findSources({ env, folders, cwd }: CliContext): readonly Source[] {
  const root = findPlace(cwd)?.root;
  const user = env['RALPHEX_CONFIG_DIR'] || path.join(folders.home, '.config', 'ralphex');
  const own =
    root === undefined ? [] : [{ from: path.join(root, '.ralphex'), to: path.join(root, '.pawl'), root }];
  const users = own.some(({ from }) => from === user)
    ? []
    : [{ from: user, to: folders.config, root: undefined }];
  return [...own, ...users].flatMap((place) => {
    const folder = readRalphexFolder(place.from, place.root);
    return folder ? [{ ...place, folder }] : [];
  });
}

/** `around`: it and those it takes precedence over; `isLast`: nothing below says how to review. */
function translate(source: Source, around: readonly Source[], isLast: boolean): Migrated {
  const values = valuesOf(around);
  const settings: Record<string, unknown> = {};
  const lines = source.folder.lines.map(({ key, value, line }) => {
    const made = translateSetting(key, value, values);
    if (typeof made !== 'string') Object.assign(settings, made);
    // A value may be a secret.
    const shown = key.startsWith('notify_') ? key : `${key} = ${value}`;
    return `config:${line}  ${shown}: ${typeof made === 'string' ? made : `→ ${Object.keys(made).join(', ')}`}`;
  });
  if (isLast && settings['review.stages'] === undefined) {
    settings['review.stages'] = reviewStages(values);
    lines.push('ralphex always reviews after the tasks: → review.stages');
  }
  const checks =
    source.root === undefined
      ? []
      : (starterChecks(source.to) ?? proposeChecksOf(source.root).map(({ command }) => command));
  if (checks.length > 0) settings['checks'] = checks;
  const head = `# Made of ${source.from}/config by pawl migrate. All settings: docs/settings.md.\n`;
  const config = head + stringify(nest(Object.entries(settings)), { lineWidth: 0 });
  const texts = source.folder.texts.filter(({ text }) => isPersons(text)).flatMap(placeText);
  const files = [
    ...(Object.keys(settings).length > 0 ? [{ file: 'config.yaml', text: config }] : []),
    ...texts,
  ];
  return { source, lines, files };
}

function placeText({ name, text }: RalphexFolder['texts'][number]): readonly MadeFile[] {
  const [kind, base = ''] = name.split('/');
  if (kind === 'agents') return [{ file: `templates/reviewers/${base}.md`, text }];
  if (base === 'codex_review' || base === 'custom_review')
    return [{ file: 'templates/reviewers/external.md', text }];
  return prompts.has(base) ? [{ file: `templates/prompts/${base}.txt`, text }] : [];
}

const prompts = new Set(['task', 'make_plan', 'review_first', 'review_second', 'finalize']);

function valuesOf(sources: readonly Source[]): RalphexValues {
  return new Map(
    sources
      .toReversed()
      .flatMap(({ folder }) => [
        ...folder.texts.filter(({ text }) => isPersons(text)).map(({ name, text }) => [name, text] as const),
        ...folder.lines.filter(({ value }) => value !== '').map(({ key, value }) => [key, value] as const),
      ]),
  );
}

/** The checks in an unchanged configuration of `pawl init`, which is replaced. */
function starterChecks(folder: string): readonly string[] | undefined {
  const text = orElse(() => readFileSync(path.join(folder, 'config.yaml'), 'utf8'), '');
  if (!isStarter(text)) return undefined;
  const { checks = [] } = (parse(text) ?? {}) as { checks?: readonly string[] };
  return checks;
}

function settle({ to, root }: Source, { file, text }: MadeFile, write: boolean): string {
  const target = path.join(to, file);
  if (root !== undefined) refuseLinks(root, target, { command: 'pawl migrate' });
  const isThere = existsSync(target);
  if (isThere && orElse(() => readFileSync(target, 'utf8'), undefined) === text) return 'unchanged';
  if (isThere && !(file === 'config.yaml' && starterChecks(to))) return 'kept';
  if (!write) return 'would write';
  makeFolder(path.dirname(target));
  const mode = root === undefined ? 0o600 : 0o644;
  if (isThere) writeFileAtomic(target, text, mode);
  else if (!createFile(target, text, mode)) return 'kept';
  return 'wrote';
}
