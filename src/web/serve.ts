// Serves the dashboard. Clients cost this process little, and no run anything.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { serve } from '@hono/node-server';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { CliContext } from '../start/context.ts';
import { listRepositories } from '../start/known-repositories.ts';
import type { Place } from '../start/locate.ts';
import { maskKnown } from '../start/messages.ts';
import { hostJudge, type Listening } from './address.ts';
import { makeApp } from './app.ts';
import type { AccessTokens } from './guard-requests.ts';
import { readPageFiles } from './page-files.ts';
import { Watcher } from './watcher.ts';

/** `here`: the only repository shown. `port`: 0 for any. */
export type ServeOptions = Listening & Readonly<{ tokens: AccessTokens; here: Place | undefined }>;

export type Served = AsyncDisposable & Readonly<{ listening: Listening; watcher: Watcher }>;

/** A port that is taken throws Failure('environment'). */
export async function serveWeb(context: CliContext, options: ServeOptions): Promise<Served> {
  const { here, names, tokens } = options;
  const listPlaces = (): readonly Place[] => (here ? [here] : listRepositories(context.folders));
  const mask = await maskKnown(context);
  const watcher = new Watcher({ mask, listPlaces });
  let isHost: (host: string) => boolean = () => false;
  const app = makeApp({
    context,
    watcher,
    tokens,
    files: readPageFiles(context.packageRoot),
    isHost: (host) => isHost(host),
  });
  const { server, port } = await listen(app.fetch, options);
  const listening = { address: options.address, port, names };
  isHost = hostJudge(listening, ownAddresses());
  return {
    listening,
    watcher,
    [Symbol.asyncDispose]: () => {
      const closed = server[Symbol.asyncDispose]();
      server.closeAllConnections();
      return closed;
    },
  };
}

export function ownAddresses(): readonly string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  return outside.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address);
}

async function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  { address: hostname, port }: Listening,
): Promise<Readonly<{ server: Server; port: number }>> {
  // Answers come from local files: slower clients are no browsers.
  const serverOptions = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16 * 1024 };
  const server = serve({ fetch, hostname, port, serverOptions }) as Server;
  server.maxConnections = 600;
  await once(server, 'listening').catch((error) => {
    throw notListening(error, `${hostname}:${port}`);
  });
  // A connection that could not be taken ends nothing.
  server.on('error', () => {});
  return { server, port: (server.address() as AddressInfo).port };
}

function notListening(error: NodeJS.ErrnoException, where: string): Failure {
  const [why, hint] = reasons[error.code ?? ''] ?? [error.message, undefined];
  return new Failure('environment', `the dashboard cannot listen on ${where}: ${why}`, {
    cause: error,
    ...defined({ hint }),
  });
}

const reasons: Readonly<Record<string, readonly [string, string]>> = {
  EADDRINUSE: ['another program listens there', 'Choose another port: pawl web --port 7300'],
  EADDRNOTAVAIL: [
    'this machine has no such address',
    'pawl web --host 0.0.0.0 listens on all its addresses.',
  ],
  EACCES: ['it is not allowed', 'Ports below 1024 are for root: pawl web --port 7300'],
};
