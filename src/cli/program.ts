// From argv to an exit code: loads only the command that is named, so that help and version are fast.

import { Failure } from '../failure.ts';
import { type CliContext, paint, print, printNote } from '../start/context.ts';
import type { OptionSpec } from '../start/option.ts';
import type { ArgumentSpec, Command, CommandSpec } from './command.ts';
import { commands } from './commands.ts';
import { buildCommander, type ParsedWords, parseWords } from './parse-arguments.ts';

export async function runProgram(context: CliContext): Promise<number> {
  const asked = parseWords(context.argv);
  if (asked.ask === 'version') return showVersion(context, asked.json);
  if (asked.ask === 'help') {
    const look = { colour: context.colour, columns: context.columns };
    const write = asked.misused ? printNote : print;
    write(context, asked.spec ? formatCommandHelp(look, asked.spec) : formatHelp(look, asked.all === true));
    return asked.misused ? 2 : 0;
  }
  refuseInSession(context, asked.spec);
  const command = (await asked.spec.load(() => buildCommander(() => {}))) as Command<
    Readonly<Record<string, unknown>>
  >;
  const { args, options } = await namePlans(context, asked);
  const loadDashboardLink = async () => (await import('../web/link.ts')).linkOfRun;
  await logPrograms(context);
  const work = command({ ...context, loadDashboardLink }, args, options);
  if (asked.spec.windsDown) return work;
  return Promise.race([work, interrupted(context), unread(context)]);
}

async function logPrograms(context: CliContext): Promise<void> {
  if (!context.env['PAWL_DEBUG']) return;
  const { startDebugLog } = await import('../start/debug-log.ts');
  const { maskKnown } = await import('../start/mask-known.ts');
  startDebugLog(context, await maskKnown(context));
}

/** A path replaces each word for a plan; what looks for it is loaded only for such a word. */
export async function namePlans(
  context: CliContext,
  { spec, args, options }: CommandWords,
): Promise<CommandWords> {
  const isPlan = (at: number) => /^.plan\W/.test(spec.args[Math.min(at, spec.args.length - 1)]?.name ?? '');
  if (!args.some((_, at) => isPlan(at)) && typeof options['plan'] !== 'string')
    return { spec, args, options };
  const { namePlan } = await import('../start/choose-plan.ts');
  const named: string[] = [];
  for (const [at, word] of args.entries()) named.push(isPlan(at) ? await namePlan(context, word) : word);
  const { plan } = options;
  const own = typeof plan === 'string' ? { plan: await namePlan(context, plan) } : {};
  return { spec, args: named, options: { ...options, ...own } };
}

function refuseInSession({ env }: CliContext, spec: CommandSpec): void {
  const session = env['PAWL_SESSION'];
  const own = session ?? env['PAWL_CHECK'];
  if (own === undefined || spec.inSession || spec.hidden) return;
  const who = session === undefined ? 'a check or hook' : 'an agent';
  throw new Failure(
    'usage',
    `pawl ${spec.name} must not be used by ${who} that pawl itself started (${own})`,
    { hint: 'Only `pawl lint` and `pawl status` work here: pawl itself checks, ticks and commits.' },
  );
}

async function showVersion(context: CliContext, json: boolean): Promise<number> {
  if (!json) {
    print(context, context.version);
    return 0;
  }
  const { readVersions } = await import('./versions.ts');
  print(context, JSON.stringify(await readVersions(context), undefined, 2));
  return 0;
}

function interrupted({ signal }: CliContext): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

// Whoever closes the pipe has seen enough: `pawl logs | head` is no failure.
function unread({ outputClosed }: CliContext): Promise<number> {
  return new Promise((resolve) => {
    if (outputClosed.aborted) resolve(0);
    else outputClosed.addEventListener('abort', () => resolve(0), { once: true });
  });
}

type CommandWords = Pick<Extract<ParsedWords, { ask: 'command' }>, 'spec' | 'args' | 'options'>;

type Look = Pick<CliContext, 'colour' | 'columns'>;
type Row = readonly [string, string];

function formatHelp(look: Look, isAll: boolean): string {
  const shown = commands.filter((spec) => spec.hidden !== true && (isAll || spec.daily));
  const groups = [...new Set(shown.map((spec) => spec.group))];
  const starts: Row[] = [
    ['pawl init', 'settings and a first plan'],
    ['pawl docs/plans/first-plan.md', 'run it'],
    ['pawl demo', 'watch a run without an agent'],
  ];
  return [
    wrap(
      'pawl drives coding agents through a markdown plan: a task is done when its checks pass.',
      look.columns,
    ).join('\n'),
    section(look, 'Examples', starts),
    ...groups.map((group) =>
      section(
        look,
        group,
        shown.filter((spec) => spec.group === group).map((spec) => [spec.name, spec.says]),
      ),
    ),
    section(look, 'Options', [
      ['-h, --help', 'Show help; for one command: pawl run --help.'],
      ...(isAll ? [] : [['pawl help --all', 'Show all commands.'] as const]),
      ['-V, --version', 'Show the version; with --json also those of Node, the system and the agent.'],
    ]),
  ].join('\n\n');
}

function formatCommandHelp(look: Look, spec: CommandSpec): string {
  const rare = spec.options.filter((option) => option.rare);
  const common = spec.options.filter((option) => !option.rare);
  const usage = ['pawl', spec.name, '[options]', ...spec.args.map((arg) => arg.name)].join(' ');
  return [
    `${paint(look, 'bold', `pawl ${spec.name}`)}  ${spec.says}`,
    section(look, 'Examples', spec.examples),
    `${paint(look, 'bold', 'Usage')}\n  ${usage}`,
    ...(spec.args.length > 0 ? [section(look, 'Arguments', spec.args.map(argumentRow))] : []),
    section(look, 'Options', [...common.map(optionRow), ['-h, --help', 'This help.']]),
    ...(rare.length > 0 ? [section(look, 'More', rare.map(optionRow))] : []),
  ].join('\n\n');
}

function argumentRow(arg: ArgumentSpec): Row {
  return [arg.name, arg.choices ? `${arg.says} (${arg.choices.join(', ')})` : arg.says];
}

function optionRow(option: OptionSpec): Row {
  const flags = option.flags.startsWith('--') ? `    ${option.flags}` : option.flags;
  return [flags, option.choices ? `${option.says} (${option.choices.join(', ')})` : option.says];
}

function section(look: Look, title: string, rows: readonly Row[]): string {
  const width = Math.min(44, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    const room = Math.max(24, Math.min(look.columns, 110) - width - 4);
    const said = wrap(right, room).join(`\n${' '.repeat(width + 4)}`);
    const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : `${' '.repeat(width - left.length)}  `;
    return `  ${left}${gap}${said}`;
  });
  return [paint(look, 'bold', title), ...lines].join('\n');
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
