// From argv to an exit code: parses the command line, then loads and runs the one command it names. Other commands are not
// loaded, so that help and version are fast.
import { Failure } from '../failure.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import type { Command, CommandSpec } from './command.ts';
import { formatCommandHelp, formatHelp } from './help.ts';
import { buildCommander, type ParsedWords, parseWords } from './parse-arguments.ts';

/** Runs what the command line asks for and returns the exit code. */
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
  const { args, options } = await namedPlans(context, asked);
  const loadDashboardLink = async () => (await import('../web/link.ts')).linkOfRun;
  const work = command({ ...(await withDebugLog(context)), loadDashboardLink }, args, options);
  if (asked.spec.windsDown) return work;
  return Promise.race([work, interrupted(context), unread(context)]);
}

async function withDebugLog(context: CliContext): Promise<CliContext> {
  if (!context.env['PAWL_DEBUG']) return context;
  const { startDebugLog } = await import('../start/debug-log.ts');
  const { maskKnown } = await import('../start/mask-known.ts');
  const log = startDebugLog(context, await maskKnown(context));
  return log ? { ...context, openDebugLog: (folder) => log.openIn(folder) } : context;
}

/** The code that looks for plans is loaded only for a word that may need it. */
async function namedPlans(
  context: CliContext,
  { spec, args, options }: Extract<ParsedWords, { ask: 'command' }>,
) {
  if (args.length === 0 && options['plan'] === undefined) return { args, options };
  const { namePlans } = await import('./meant-plan.ts');
  return namePlans(context, spec, { args, options });
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

// Whoever closes the pipe has seen enough: `pawl logs | head` is not a failure.
function unread({ outputClosed }: CliContext): Promise<number> {
  return new Promise((resolve) => {
    if (outputClosed.aborted) resolve(0);
    else outputClosed.addEventListener('abort', () => resolve(0), { once: true });
  });
}
