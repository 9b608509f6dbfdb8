// The control socket, real: asked and answered, replaced when its pawl is dead, never taken from a live one, and lying only
// where nobody else can get in.
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { askAt, findSocketPath, listenAt } from '../../src/control/socket.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const yes = (line: string) => ({ ok: true, text: line }) as const;

test('each line is answered, and the file goes with the socket', async () => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 's.sock');
  {
    await using socket = await listenAt(file, yes);
    expect(socket?.path).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const asked = await Promise.all(['a', 'b', 'c'].map((word) => askAt(file, `${word}\n`, 5_000)));
    expect(asked).toEqual(['a', 'b', 'c'].map((text) => ({ reply: { ok: true, text } })));
  }
  expect(existsSync(file)).toBe(false);
  expect(await askAt(file, 'a\n', 5_000)).toEqual({ none: 'gone' });
});

test('a dead pawl’s socket is replaced, a live one’s is not', async () => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 's.sock');
  writeFileSync(file, '');
  expect(await askAt(file, 'a\n', 5_000)).toEqual({ none: 'gone' });
  await using first = await listenAt(file, yes);
  expect(first).toBeDefined();
  expect(await listenAt(file, () => ({ ok: false, error: 'the second' }))).toBeUndefined();
  expect(await askAt(file, 'a\n', 5_000)).toEqual({ reply: { ok: true, text: 'a' } });
});

test('who says nothing, too much, or goes away hurts nobody', async () => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 's.sock');
  await using _ = await listenAt(file, yes);
  const silent = createConnection(file);
  const loud = createConnection(file);
  loud.on('error', () => {});
  loud.write('x'.repeat(2 * 1024 * 1024));
  const gone = createConnection(file, () => gone.end('half a line'));
  await new Promise((resolve) => loud.once('close', resolve));
  expect(await askAt(file, 'a\n', 5_000)).toEqual({ reply: { ok: true, text: 'a' } });
  silent.on('error', () => {});
});

test('one that does not answer, or answers nonsense, is told apart', async () => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 's.sock');
  const server = createServer((socket) =>
    socket.on('data', (text) => String(text) === 'b\n' && socket.end('what?\n')),
  );
  await new Promise<void>((resolve) => server.listen(file, resolve));
  expect(await askAt(file, 'a\n', 50)).toEqual({ none: 'silent' });
  expect(await askAt(file, 'b\n', 5_000)).toEqual({ none: 'garbled' });
  // A stopped or busy pawl is alive.
  expect(await listenAt(file, yes)).toBeUndefined();
  server.close();
});

test('the place is a folder of this user alone, and short enough', () => {
  using folder = makeTempFolder();
  const uid = process.getuid?.();
  const [runtime, tmp] = ['run', 'tmp'].map((name) => path.join(folder.path, name)) as [string, string];
  mkdirSync(tmp);
  const around = { runtime, temporary: [tmp], uid, host: 'h' };
  const place = findSocketPath('/r/.git', around) ?? '';
  expect(path.dirname(place)).toBe(runtime);
  expect(statSync(runtime).mode & 0o777).toBe(0o700);
  expect(findSocketPath('/r/.git', around)).toBe(place);
  expect(findSocketPath('/other/.git', around)).not.toBe(place);
  expect(findSocketPath('/r/.git', { ...around, host: 'other' })).not.toBe(place);

  chmodSync(runtime, 0o755);
  const fallback = path.dirname(findSocketPath('/r/.git', around) ?? '');
  expect(fallback).toBe(path.join(tmp, `pawl-${uid}`));
  const long = path.join(folder.path, 'x'.repeat(90));
  expect(findSocketPath('/r/.git', { ...around, runtime: long, temporary: [] })).toBeUndefined();

  const other = path.join(folder.path, 'other');
  mkdirSync(other);
  symlinkSync(fallback, path.join(other, `pawl-${uid}`));
  expect(findSocketPath('/r/.git', { ...around, runtime: undefined, temporary: [other] })).toBeUndefined();
  if (uid !== undefined)
    expect(findSocketPath('/r/.git', { ...around, uid: uid + 1, temporary: [] })).toBeUndefined();
});
