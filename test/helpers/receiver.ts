// A server on loopback that keeps what it is sent, and answers what it is told to, or never.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A request that came. */
export type Received = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Buffer;
  text: string;
}>;

/** What it answers; `hang`: nothing, ever. */
export type Answer =
  | Readonly<{ status?: number; body?: string; headers?: Readonly<Record<string, string>> }>
  | 'hang';

/** Starts one, which ends with its scope. */
export async function startReceiver(answer: (request: Received) => Answer = () => ({})) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, bytes, text: bytes.toString('utf8') };
      received.push(one);
      const given = answer(one);
      if (given === 'hang') return;
      response.writeHead(given.status ?? 200, given.headers).end(given.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `http://${host}`, host, received },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return server[Symbol.asyncDispose]();
    },
  };
}
