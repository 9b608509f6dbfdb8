// `pawl doctor`: checks what a run needs before it costs anything.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Diagnosis } from '../agent/adapter.ts';
import type { LoadedConfig } from '../config/load.ts';
import { configSchema } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { findStartError } from '../process/find-program.ts';
import { formatCount } from '../report/text/figure.ts';
import { type CliContext, paint, print, printJson } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import { findPlace } from '../start/locate.ts';
import { runQuietly } from '../start/run-quietly.ts';
import { wrapText } from '../width.ts';
import type { Command } from './command.ts';
import { type DoctorTools, fail, type Look, ok, warn } from './doctor/agent.ts';
import { looks } from './doctor/looks.ts';

export type DoctorOptions = Readonly<{ json?: boolean; verbose?: boolean }>;

type Row = Diagnosis & Readonly<{ name: string }>;

/** Exits with 2 if a run could not work. */
export const runDoctor: Command<DoctorOptions> = async (context, _args, { json, verbose }) => {
  const place = findPlace(context.cwd);
  let config = configSchema.parse({});
  const readConfig: Look = () => {
    const root = place?.root ?? context.cwd;
    const loaded = loadSettings(context, { root });
    config = loaded.config;
    return judgeFiles(loaded.files, root);
  };
  const rows: Row[] = [];
  for (const [name, look] of Object.entries({ config: readConfig, ...looks })) {
    const found = await examine(look, {
      context,
      place,
      config,
      run: (file, args) => runQuietly(context, file, args),
      has: (file) => findStartError(file, context.cwd, context.env['PATH']) === undefined,
    });
    if (found) rows.push({ name, ...found });
  }
  if (json) printJson(context, rows);
  else print(context, formatRows(context, rows, verbose ?? false).join('\n'));
  return rows.some(({ state }) => state === 'fail') ? 2 : 0;
};

async function examine(look: Look, tools: DoctorTools): Promise<Diagnosis | undefined> {
  try {
    return await look(tools);
  } catch (error) {
    if (error instanceof Failure)
      return fail(error.message, error.hint ?? 'Fix it, then run pawl doctor again.');
    throw error;
  }
}

function judgeFiles(files: LoadedConfig['files'], root: string): Diagnosis {
  const names = (isRead: boolean) => files.filter(({ read }) => read === isRead).map(({ file }) => file);
  const read = names(true).join(', ');
  const unread = names(false).join(', ');
  if (!files.some(({ layer }) => layer === 'project') && existsSync(path.join(root, '.ralphex')))
    return warn(`${read || 'all defaults'}; the ralphex setup in .ralphex/ is not used`, 'pawl migrate');
  if (unread === '') return ok(read || 'all defaults');
  const also = read === '' ? '' : `${read}; `;
  // The row "trust" warns.
  return ok(`${also}${unread} applies once this repository is trusted`);
}

function formatRows(context: CliContext, rows: readonly Row[], isAll: boolean): readonly string[] {
  const of = (state: Row['state']) => rows.filter((row) => row.state === state);
  const [failed, warned, fine] = [of('fail'), of('warn'), of('ok')];
  const count = `${formatCount(fine.length, 'thing')} ok${isAll ? '' : ': pawl doctor --verbose'}`;
  const end =
    failed.length > 0
      ? `${formatCount(failed.length, 'thing')} to fix before a run can start.`
      : rows.some(({ name, state }) => name === 'trust' && state === 'warn')
        ? 'A run can start, as far as was looked.'
        : 'A run can start.';
  const shown = [...failed, ...warned, ...(isAll ? fine : [])];
  return [...shown.map((row) => formatRow(context, row)), count, end];
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const indent = ' '.repeat(20);

function formatRow(context: CliContext, { name, state, says, remedy }: Row): string {
  const head = `${paint(context, colours[state], state.padEnd(4))}  ${name.padEnd(12)}  `;
  // A terminal would break words.
  const wrap = (text: string) =>
    context.isTty ? wrapText(text, Math.max(40, context.columns - indent.length), { hang: 0 }) : [text];
  const body = says.split('\n').flatMap(wrap);
  const hints = remedy === undefined ? [] : wrap(`→ ${remedy}`).map((text) => paint(context, 'dim', text));
  return head + [...body, ...hints].join(`\n${indent}`);
}
