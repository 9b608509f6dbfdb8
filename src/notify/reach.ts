// Whether a channel can be reached, without sending anything: its host, or its program.
import { connect } from 'node:net';
import type { Channel } from './channel.ts';

export type Target = Readonly<{ host: string; port: number }> | Readonly<{ program: string }>;

export function targetOf({ means }: Channel, platform: string): Target {
  const sample = { title: '', body: '', tone: 'info', priority: 3, events: [] } as const;
  switch (means.kind) {
    case 'http': {
      const [request] = means.requests(sample);
      return hostOf(request?.url ?? '');
    }
    case 'mail':
      return { host: means.server.host, port: means.server.port };
    case 'program':
      return { program: means.call(sample, platform).file };
  }
}

export function hostOf(url: string): Readonly<{ host: string; port: number }> {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

/** Why no connection can be made; undefined: it was made in time. */
export function tryConnection(
  { host, port }: Readonly<{ host: string; port: number }>,
  timeoutMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (why?: string) => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end(`no answer within ${timeoutMs / 1_000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
