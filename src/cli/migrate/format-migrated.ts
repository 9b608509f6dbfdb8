// What became of a setup, as lines for the terminal.
import path from 'node:path';
import { type Line, line } from '../../report/text/line.ts';
import type { Entry, MadeFile } from './translate-folder.ts';
import type { Fate } from './translated.ts';

/** wrote; same: it existed with the same bytes; kept: it existed with others; to write: only reported. */
export type Done = 'wrote' | 'same' | 'kept' | 'to write';
/** What became of one folder. */
export type Migrated = Readonly<{
  from: string;
  to: string;
  entries: readonly Entry[];
  files: readonly (MadeFile & Readonly<{ done: Done }>)[];
}>;

const tones: Readonly<Record<Fate, Line['tone']>> = {
  taken: 'good',
  changed: 'warn',
  'not needed': 'dim',
  'no counterpart': 'bad',
};

/** As lines for the terminal; `write`: writing was requested; `plan`: one that the next commands can name. */
export function formatMigrated(
  migrated: readonly Migrated[],
  { write, plan }: Readonly<{ write: boolean; plan: string }>,
): readonly Line[] {
  const lines = migrated.flatMap(({ from, to, entries, files }) => [
    line('head', `${from} → ${to}`),
    ...entries.flatMap(formatEntry),
    ...(entries.length === 0 ? [line('dim', 'nothing is set there', 1)] : []),
    ...files.flatMap(({ done, file, text }) => formatFile({ done, name: path.join(to, file), text })),
    line('plain', ''),
  ]);
  const all = migrated.flatMap(({ files }) => files);
  return [
    ...lines,
    ...formatNext(
      all.map(({ done }) => done),
      { write, plan },
    ),
  ];
}

/** What there was, and below it what it is now and why. */
function formatEntry({ fate, what, now, why }: Entry): readonly Line[] {
  const became = [
    ...(now === '' ? [] : [`→ ${now}`]),
    ...(why === '' ? [] : [now === '' ? why : `(${why})`]),
  ];
  const rows = [`${fate.padEnd(fateWidth)}${what}`, `${' '.repeat(fateWidth)}${became.join(' ')}`];
  return rows.map((text, at) => ({ ...line(at === 0 ? tones[fate] : 'plain', text, 1), hang: fateWidth }));
}

const fateWidth = 'no counterpart'.length + 2;

function formatFile({
  done,
  name,
  text,
}: Readonly<{ done: Done; name: string; text: string }>): readonly Line[] {
  if (done === 'wrote') return [line('good', `wrote  ${name}`, 1)];
  if (done === 'to write') return [line('plain', `would write  ${name}`, 1)];
  if (done === 'same') return [line('dim', `unchanged  ${name} has just that already`, 1)];
  const rest = name.endsWith('config.yaml') ? text.trim().split('\n') : [];
  return [
    line(
      'warn',
      `kept  ${name} exists and says something else: add by hand what is new${rest.length > 0 ? ':' : ''}`,
      1,
    ),
    // What may be a secret is not shown.
    ...rest.map((each) => line('plain', each.replace(/:\/\/.*$/, '://…'), 3)),
  ];
}

function formatNext(
  done: readonly Done[],
  { write, plan }: Readonly<{ write: boolean; plan: string }>,
): readonly Line[] {
  if (!write && done.includes('to write'))
    return [line('head', 'Nothing has been written yet. To write it: pawl migrate --write')];
  if (!done.includes('wrote')) return [line('plain', 'Nothing to write.')];
  return [
    line('plain', 'Your plans can stay as they are. Next:'),
    line('plain', 'pawl trust     # what of this repository may run?', 1),
    line('plain', 'pawl doctor    # is everything there?', 1),
    line('plain', `pawl lint ${plan}`, 1),
    line('plain', `pawl run ${plan} --dry-run`, 1),
  ];
}
