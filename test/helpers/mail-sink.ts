// A mail server on loopback that takes every mail but for `nobody`, and keeps it; it can ask for a login.
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail that came, with what was said about it before. */
export type Mail = Readonly<{ from: string; to: readonly string[]; login?: string; text: string }>;

/** Starts one; `hangs`: it never says a word. */
export async function startMailSink({ hangs = false }: Readonly<{ hangs?: boolean }> = {}) {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (!hangs) speak(socket, (mail) => mails.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mails,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function speak(socket: Socket, keep: (mail: Mail) => void): void {
  let [rest, from, login] = ['', '', ''];
  let to: string[] = [];
  let data: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const take = (line: string) => {
    if (data) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''));
      keep({ from, to, ...(login === '' ? {} : { login }), text: data.join('\n') });
      data = undefined;
      return void say('250 kept');
    }
    const [verb = '', ...words] = line.split(' ');
    const word = verb.toUpperCase();
    if (word === 'EHLO') socket.write('250-sink\r\n250 AUTH PLAIN\r\n');
    else if (word === 'AUTH') {
      login = Buffer.from(words[1] ?? '', 'base64').toString('utf8');
      say('235 welcome');
    } else if (word === 'MAIL') {
      [from, to] = [/<(.*?)>/.exec(line)?.[1] ?? '', []];
      say('250 ok');
    } else if (/^RCPT TO:<nobody@/i.test(line)) say('550 no such user');
    else if (word === 'RCPT') {
      to = [...to, /<(.*?)>/.exec(line)?.[1] ?? ''];
      say('250 ok');
    } else if (word === 'DATA') {
      data = [];
      say('354 go on');
    } else if (word === 'STARTTLS') say('454 not here');
    else if (word === 'QUIT') socket.end('221 bye\r\n');
    else say('250 ok');
  };
  say('220 sink');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
