import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CliContext } from '../../src/start/context.ts';
import { startUpdateNotice } from '../../src/start/update-notice.ts';
import { makeWorld, type World } from '../cli/world.ts';

let world: World;
let stack: AsyncDisposableStack;
beforeEach(() => {
  world = makeWorld();
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  world[Symbol.dispose]();
});

/** A registry that counts who asks; `latest` absent: it never answers. */
async function startRegistry(latest?: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (latest !== undefined) response.end(JSON.stringify({ latest }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** A command at a terminal, and what it says on stderr. */
function makeCommand(
  url: string,
  more: Partial<CliContext> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const said: string[] = [];
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said.push(chunk.toString());
      done();
    },
  });
  world.write('package.json', '{ "repository": { "url": "https://git.example.org/pawl" } }');
  const base = { canAsk: true, version: '0.9.0', stderr, packageRoot: world.cwd, ...more };
  const context = world.context(base);
  return { said, context: { ...context, env: { ...context.env, npm_config_registry: url, ...env } } };
}

/** Starts, waits until the answer was remembered, and ends. */
async function runWith(
  url: string,
  latest: string | undefined,
  more: Partial<CliContext> = {},
): Promise<string> {
  const { said, context } = makeCommand(url, more);
  const notice = startUpdateNotice(context, true);
  if (latest !== undefined)
    await expect
      .poll(() => {
        notice.tell();
        return said.length;
      })
      .toBe(1);
  notice.tell();
  return said.join('');
}

const later = (hours: number) => ({ now: () => new Date(Date.UTC(2026, 0, 2, 3 + hours)) });

test('a newer version is told at the end, once a day, and asked for once a day', async () => {
  const { asked, url } = await startRegistry('0.10.1');
  expect(await runWith(url, '0.10.1')).toMatch(
    /^\npawl 0\.10\.1 is available, this is 0\.9\.0: npm install --global pawl .*\n$/,
  );
  expect(await runWith(url, undefined, later(5))).toBe('');
  expect(asked).toEqual(['/-/package/pawl/dist-tags']);
  expect(await runWith(url, undefined, later(25))).toContain('0.10.1');
  await expect.poll(() => asked.length).toBe(2);
});

test('a registry that never answers delays nothing and is told nothing of', async () => {
  const { asked, url } = await startRegistry();
  expect(await runWith(url, undefined)).toBe('');
  await expect.poll(() => asked.length).toBe(1);
});

test.each<[string, Partial<CliContext>, Readonly<Record<string, string>>, boolean]>([
  ['not at a terminal, or in CI', { canAsk: false }, {}, true],
  ['by NO_UPDATE_NOTIFIER', {}, { NO_UPDATE_NOTIFIER: '1' }, true],
  ['by the settings or --json', {}, {}, false],
])('nobody is asked %s', async (_, more, env, isWanted) => {
  const { asked, url } = await startRegistry('9.9.9');
  const { said, context } = makeCommand(url, more, env);
  startUpdateNotice(context, isWanted).tell();
  // Who asks remembers it at once.
  expect(existsSync(path.join(context.folders.cache, 'update.json'))).toBe(false);
  expect(asked).toEqual([]);
  expect(said).toEqual([]);
});

test('nobody is asked before the first release, when the package names no repository', async () => {
  const { asked, url } = await startRegistry('9.9.9');
  const { context } = makeCommand(url);
  world.write('package.json', '{}');
  startUpdateNotice(context, true).tell();
  expect(existsSync(path.join(context.folders.cache, 'update.json'))).toBe(false);
  expect(asked).toEqual([]);
});

test.each(['0.9.0', '0.8.99', '0.10.0-beta.1', 'none'])('%s is not newer than 0.9.0', async (latest) => {
  const { asked, url } = await startRegistry(latest);
  const { said, context } = makeCommand(url);
  const notice = startUpdateNotice(context, true);
  await expect.poll(() => asked.length).toBe(1);
  // Another version of pawl sees when it has come.
  await expect
    .poll(() => {
      notice.tell();
      const older = makeCommand(url, { version: '0.0.1' });
      startUpdateNotice(older.context, true).tell();
      return latest.includes('-') || latest === 'none' || older.said.length === 1;
    })
    .toBe(true);
  expect(said).toEqual([]);
});
