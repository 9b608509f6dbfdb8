// `pawl doctor`: checks what a run needs before it costs anything.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoadedConfig } from '../config/load.ts';
import { configSchema } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { withoutOwnPrograms } from '../git/run/own-programs.ts';
import { findStartError } from '../process/find-program.ts';
import { formatCount } from '../report/text/figure.ts';
import { wrapText } from '../report/text/width.ts';
import { isTrusted, wasTrusted } from '../start/consent.ts';
import { type CliContext, paint, print } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import { findPlace, type Place } from '../start/locate.ts';
import { runQuietly } from '../start/run-quietly.ts';
import type { Command } from './command.ts';
import { agentLooks } from './doctor/agent.ts';
import { machineLooks } from './doctor/machine.ts';
import { type Checkup, type DoctorTools, fail, type Look, ok, warn } from './doctor/probe.ts';
import { elsewhereLooks, repositoryLooks } from './doctor/repository.ts';

export type DoctorOptions = Readonly<{ json?: boolean; verbose?: boolean }>;

/** In the order of the table. */
export const looks: Readonly<Record<string, Look>> = {
  ...machineLooks,
  ...agentLooks,
  ...repositoryLooks,
  ...elsewhereLooks,
};

type Row = Checkup & Readonly<{ name: string }>;

/** Exits with 2 if a run could not work. */
export const runDoctor: Command<DoctorOptions> = async (context, _args, { json, verbose }) => {
  const place = findPlace(context.cwd);
  const { loaded, shown, row } = readConfig(context, place?.root);
  const git = await openGit(context, place);
  const tools: DoctorTools = {
    ...{ context, place, git, unread: shown?.config },
    config: loaded?.config ?? configSchema.parse({}),
    run: (file, args) => runQuietly(context, file, args),
    read: async (...args) => (await git(...args)).stdout.trim(),
    has: (file) => findStartError(file, context.cwd, context.env['PATH']) === undefined,
  };
  const rows: Row[] = [row];
  for (const [name, look] of Object.entries(looks)) {
    const found = await examine(look, tools);
    if (found) rows.push({ name, ...found });
  }
  const failed = rows.some(({ state }) => state === 'fail');
  print(
    context,
    json ? JSON.stringify(rows, undefined, 2) : formatRows(context, rows, verbose ?? false).join('\n'),
  );
  return failed ? 2 : 0;
};

/** Before it is trusted, without the programs in its git config. */
async function openGit(context: CliContext, place: Place | undefined): Promise<DoctorTools['git']> {
  const cwd = place?.root ?? context.cwd;
  const ask = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    runQuietly(context, 'git', [...safeguards, ...args], { cwd, env });
  const isKnown = place !== undefined && wasTrusted(context, place.root);
  const env = isKnown
    ? {}
    : await withoutOwnPrograms(async (args) => (await ask(args, {})).stdout, context.env);
  return (...args) => ask(args, env);
}

const safeguards = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];

// A look that fails is a row of the table.
async function examine(look: Look, tools: DoctorTools): Promise<Checkup | undefined> {
  try {
    return await look(tools);
  } catch (error) {
    if (error instanceof Failure)
      return fail(error.message, error.hint ?? 'Fix it, then run pawl doctor again.');
    throw error;
  }
}

/** `shown`: with the repository's own file even if it does not count yet. */
function readConfig(
  context: CliContext,
  root = context.cwd,
): { loaded?: LoadedConfig; shown?: LoadedConfig; row: Row } {
  try {
    const trusted = isTrusted(context, root);
    const loaded = loadSettings(context, { root, trusted });
    const shown = trusted ? loaded : loadSettings(context, { root, trusted: true });
    return { loaded, shown, row: { name: 'config', ...judgeFiles(loaded.files, root) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { row: { name: 'config', ...fail(error.message, error.hint ?? 'pawl config path') } };
  }
}

function judgeFiles(files: LoadedConfig['files'], root: string): Checkup {
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
  const [failed, warned, fine, unseen] = [of('fail'), of('warn'), of('ok'), of('unseen')];
  const shown = [...failed, ...warned, ...unseen, ...(isAll ? fine : [])];
  const count = `${formatCount(fine.length, 'thing')} ok${isAll ? '' : ': pawl doctor --verbose'}`;
  const end =
    failed.length > 0
      ? `${formatCount(failed.length, 'thing')} to fix before a run can start.`
      : unseen.length > 0
        ? 'A run can start, as far as was looked.'
        : 'A run can start.';
  return [...shown.map((row) => formatRow(context, row)), count, end];
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red', unseen: 'dim' } as const;
const words = { ok: 'ok', warn: 'warn', fail: 'fail', unseen: '?' } as const;

const indent = ' '.repeat(20);

function formatRow(context: CliContext, { name, state, says, remedy }: Row): string {
  const head = `${paint(context, colours[state], words[state].padEnd(4))}  ${name.padEnd(12)}  `;
  // A terminal would break words.
  const wrap = (text: string) =>
    context.isTty ? wrapText(text, Math.max(40, context.columns - indent.length), { hang: 0 }) : [text];
  const body = says.split('\n').flatMap(wrap);
  const hints = remedy === undefined ? [] : wrap(`→ ${remedy}`).map((text) => paint(context, 'dim', text));
  return head + [...body, ...hints].join(`\n${indent}`);
}
