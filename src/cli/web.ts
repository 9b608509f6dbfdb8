// `pawl web`: serves the dashboard of this user's runs, or says where it is served.
import os from 'node:os';
import { aborted } from '../aborted.ts';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import { signalProcess } from '../process/end.ts';
import type { SeeOptions } from '../start/command-options.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { inviteTo, type Listening, usualPort } from '../web/address.ts';
import { ownAddresses, type Served, serveWeb } from '../web/serve.ts';
import { findServed, type Remembered, readRemembered, remember, tokensOf } from '../web/web-file.ts';
import type { Command } from './command.ts';

type WebOptions = SeeOptions['web'];

/** Until it ends when idle, and between checks, milliseconds. */
const idleMs = 3_600_000;
const askMs = 60_000;

export const showWeb: Command<WebOptions> = async (context, _args, options) => {
  const { here, host: address = '127.0.0.1' } = options;
  const running = findServed(context.folders);
  if (options.stop) return stop(context, running);
  if (running && !here) return tellServed(context, running, options);
  const known = here ? undefined : readRemembered(context.folders);
  const tokens = tokensOf(known);
  const wish = {
    address,
    tokens,
    here: here ? needPlace(context) : undefined,
    // Like the port, they stay the same across restarts.
    names: options.name ?? known?.names ?? [],
  };
  const port = options.port ?? (here ? 0 : (known?.port ?? usualPort));
  await using served = await serveWeb(context, { ...wish, port }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    // One that a person names must be free.
    if (options.port !== undefined || code !== 'EADDRINUSE') throw error;
    return serveWeb(context, { ...wish, port: 0 });
  });
  if (!here) remember(context.folders, { tokens, ...served.listening });
  tell(context, served.listening, { ...options, ...tokens });
  printNote(context, 'Ctrl-C stops the dashboard; runs continue without it.');
  await untilOver(context, served, options.untilIdle ?? false);
  return 0;
};

function tell(
  context: CliContext,
  listening: Listening,
  { act, read, readOnly = false }: Pick<Remembered, 'act' | 'read'> & Pick<WebOptions, 'readOnly'>,
): void {
  const user = context.env['USER'] ?? 'you';
  const [token, canAct] = readOnly ? [read, false] : [act, true];
  const invited = { own: ownAddresses(), token, canAct, user, host: os.hostname() };
  const { link, notes } = inviteTo(listening, invited);
  print(context, `Dashboard${canAct ? '' : ', to read only'}: ${link}`);
  for (const note of notes) printNote(context, note);
}

async function tellServed(context: CliContext, served: Remembered, options: WebOptions): Promise<number> {
  const { address, port, pid } = served;
  if (options.host !== undefined || options.port !== undefined || options.name !== undefined)
    throw new Failure('usage', `a dashboard is already running, as process ${pid} on port ${port}`, {
      hint: 'Stop it first: pawl web --stop',
    });
  tell(context, { address, port, names: [] }, { ...options, ...served });
  printNote(context, `It is already running, as process ${pid}; \`pawl web --stop\` stops it.`);
  return 0;
}

/** As Ctrl-C there. */
async function stop(context: CliContext, served: Remembered | undefined): Promise<number> {
  if (!served) throw new Failure('usage', 'no dashboard is running');
  signalProcess(served.pid, 'SIGTERM');
  for (let looks = 100; looks > 0 && findServed(context.folders); looks -= 1) await sleep(50);
  if (findServed(context.folders)) throw new Failure('environment', `process ${served.pid} does not end`);
  print(context, 'The dashboard has stopped; runs continue without it.');
  return 0;
}

async function untilOver(context: CliContext, { watcher }: Served, untilIdle: boolean): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let quietSince = performance.now();
  const look = async () => {
    await watcher.refresh();
    const isLive = watcher.runs.some(({ holder }) => holder !== undefined);
    quietSince = Math.max(quietSince, isLive ? performance.now() : watcher.askedMs);
    if (performance.now() - quietSince > idleMs) ended.resolve();
  };
  using _timer = untilIdle ? setInterval(look, askMs) : undefined;
  await Promise.race([ended.promise, aborted(context.signal)]);
}
