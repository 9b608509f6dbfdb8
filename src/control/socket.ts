// The control socket of a run: where it is, the server that answers one-line requests, and the client.
import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { digestText } from '../digest.ts';
import { makeFolder, removeFile, setMode } from '../disk.ts';
import { effect } from '../effect.ts';
import { type ControlReply, readReply } from './request.ts';

/** No line of pawl's is longer. */
const mostCharacters = 1024 * 1024;

/** For an answered client to hang up, milliseconds. */
const partingMs = 200;

/** Disposing removes the socket. */
export type ControlSocket = AsyncDisposable & Readonly<{ path: string }>;

/** Replaces a dead pawl's socket; undefined if somebody alive listens there. */
export async function listenAt(
  path: string,
  answer: (line: string) => ControlReply,
): Promise<ControlSocket | undefined> {
  const held = await askAt(path, '\n', partingMs);
  if ('reply' in held || held.none !== 'gone') return undefined;
  removeFile(path);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(socket, answer);
  });
  await effect('file', 'create socket', () => once(server.listen(path), 'listening'));
  // The folder already keeps others out; this keeps them from the socket itself.
  setMode(path, 0o600);
  return { path, [Symbol.asyncDispose]: () => close(server, open, path) };
}

/** `gone`: nobody listens. */
export type ControlAnswer = Readonly<{ reply: ControlReply } | { none: 'gone' | 'silent' | 'garbled' }>;

export function askAt(path: string, line: string, waitMs: number): Promise<ControlAnswer> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (asked: ControlAnswer) => {
      socket.destroy();
      resolve(asked);
    };
    socket.setTimeout(waitMs, () => settle({ none: 'silent' }));
    socket.on('error', () => settle({ none: 'gone' }));
    socket.on('connect', () => socket.write(line));
    onLine(socket, (text) => {
      const reply = text === undefined ? undefined : readReply(text);
      settle(reply === undefined ? { none: 'garbled' } : { reply });
    });
  });
}

function serve(socket: Socket, answer: (line: string) => ControlReply): void {
  // A client may go before it is answered.
  socket.on('error', () => socket.destroy());
  onLine(socket, (line) => {
    if (line === undefined) socket.destroy();
    else socket.end(`${JSON.stringify(answer(line))}\n`);
  });
}

/** Undefined if the other side ends before, or sends too much. */
function onLine(socket: Socket, take: (line: string | undefined) => void): void {
  let text = '';
  let isTaken = false;
  const settle = (line: string | undefined) => {
    if (isTaken) return;
    isTaken = true;
    take(line);
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end >= 0) settle(text.slice(0, end));
    else if (text.length > mostCharacters) settle(undefined);
  });
  socket.on('end', () => settle(undefined));
}

async function close(server: Server, open: ReadonlySet<Socket>, path: string): Promise<void> {
  const cut = setTimeout(() => {
    for (const socket of open) socket.destroy();
  }, partingMs);
  await server[Symbol.asyncDispose]();
  clearTimeout(cut);
  removeFile(path);
}

/** With its final zero, 108 bytes on Linux, 104 on macOS. */
const mostBytes = 103;

type SocketSurroundings = Readonly<{
  /** `$XDG_RUNTIME_DIR/pawl`, if any. */
  runtime: string | undefined;
  /** Folders for temporary files, in order of preference. */
  temporary: readonly string[];
  uid: number | undefined;
  host: string;
}>;

/**
 * Of the pawl that holds the working tree of `gitDir`; makes its folder. Undefined if none is safe and short enough.
 */
export function findSocketPath(gitDir: string, around: SocketSurroundings): string | undefined {
  const name = `${digestText(`${around.host}\0${gitDir}`, 16)}.sock`;
  const own = around.temporary.map((folder) => path.join(folder, `pawl-${around.uid ?? 'user'}`));
  return [...(around.runtime === undefined ? [] : [around.runtime]), ...own]
    .map((folder) => path.join(folder, name))
    .find((file) => Buffer.byteLength(file) <= mostBytes && isOwnFolder(path.dirname(file), around.uid));
}

/** Makes it if necessary; false if it is not private: another could answer in pawl's place. */
function isOwnFolder(folder: string, uid: number | undefined): boolean {
  try {
    makeFolder(folder, 0o700);
    const stat = lstatSync(folder);
    return stat.isDirectory() && (uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0));
  } catch {
    return false;
  }
}
