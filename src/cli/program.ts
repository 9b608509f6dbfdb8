// From argv to an exit code: loads only the command that is named, for speed.
import type { Argument, Option } from 'commander';
import { aborted } from '../aborted.ts';
import { Failure } from '../failure.ts';
import { type CliContext, paint, print, printNote } from '../start/context.ts';
import { optionName } from '../start/run-options.ts';
import type { Command, CommandSpec } from './command.ts';
import { findCommand } from './commands.ts';
import { buildCommander, type ParsedWords, parseWords } from './parse-arguments.ts';

export async function runProgram(context: CliContext): Promise<number> {
  const asked = parseWords(context.argv);
  if (asked.ask === 'help') {
    (asked.misused ? printNote : print)(context, formatHelp(context, asked));
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
  const { signal, outputClosed } = context;
  const interrupted = aborted(signal).then(() => signal.throwIfAborted());
  // Whoever closes the pipe has seen enough, as in `pawl logs | head`.
  return Promise.race([work, interrupted.then(() => 0), aborted(outputClosed).then(() => 0)]);
}

async function logPrograms(context: CliContext): Promise<void> {
  if (!context.env['PAWL_DEBUG']) return;
  const { startDebugLog } = await import('../start/debug-log.ts');
  const { maskKnown } = await import('../start/messages.ts');
  startDebugLog(context, await maskKnown(context));
}

/** A path replaces each word for a plan; what looks for it is loaded only for such a word. */
export async function namePlans(
  context: CliContext,
  { spec, args, options }: CommandWords,
): Promise<CommandWords> {
  const isPlan = (at: number) => spec.args[Math.min(at, spec.args.length - 1)]?.names === 'plan';
  const flags = spec.options.filter(({ names }) => names === 'plan').map(optionName);
  const own = flags.filter((name) => options[name] !== undefined);
  if (own.length === 0 && !args.some((_, at) => isPlan(at))) return { spec, args, options };
  const { namePlanFor } = await import('../start/find-plan.ts');
  const named: string[] = [];
  for (const [at, word] of args.entries()) named.push(isPlan(at) ? await namePlanFor(context, word) : word);
  const more: Record<string, string> = {};
  for (const name of own) more[name] = await namePlanFor(context, String(options[name]));
  return { spec, args: named, options: { ...options, ...more } };
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

type CommandWords = Pick<Extract<ParsedWords, { ask: 'command' }>, 'spec' | 'args' | 'options'>;

const starts: CommandSpec['examples'] = [
  ['pawl init', 'settings and a first plan'],
  ['pawl docs/plans/first-plan.md', 'run it'],
  ['pawl demo', 'watch a run without an agent'],
];

/** Unless its sentence names each. */
function withChoices({ description, argChoices = [] }: Argument | Option): string {
  const isTold = argChoices.every((choice) => description.includes(choice));
  return isTold ? description : `${description} (${argChoices.join(', ')})`;
}

/** Of one command; without one, of those for every day, or of `all`. */
export function formatHelp(
  look: Pick<CliContext, 'colour' | 'columns'>,
  { spec, all = false }: Readonly<{ spec?: CommandSpec; all?: boolean }>,
): string {
  const program = buildCommander(() => {});
  const shown = program.commands.find((one) => one.name() === spec?.name) ?? program;
  const helpWidth = Math.min(look.columns, 110);
  const styleTitle = (title: string) => paint(look, 'bold', title);
  shown
    .configureOutput({ getOutHelpWidth: () => helpWidth, getOutHasColors: () => look.colour })
    .configureHelp({
      styleTitle,
      minWidthToWrap: 20,
      commandDescription: () => '',
      argumentDescription: withChoices,
      optionDescription: withChoices,
      subcommandTerm: (one) => one.name(),
      visibleCommands: ({ commands }) =>
        commands.filter((one) => {
          const found = findCommand(one.name());
          return found !== undefined && !found.hidden && (all || found.daily === true);
        }),
    });
  const help = shown.createHelp();
  help.prepareContext({ helpWidth });
  const examples = spec?.examples ?? starts;
  const width = Math.max(...examples.map(([words]) => words.length));
  return [
    help.boxWrap(
      `${styleTitle(spec ? `pawl ${spec.name}` : 'pawl')}  ${spec?.says ?? 'Drives coding agents through a markdown plan: a task is done when its checks pass.'}`,
      helpWidth,
    ),
    '',
    styleTitle('Examples:'),
    ...examples.map(([words, says]) => help.formatItem(words, width, says, help)),
    '',
    shown.helpInformation().trim(),
  ].join('\n');
}
