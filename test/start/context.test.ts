import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { Failure } from '../../src/failure.ts';
import { formatFailure, type Host, paint, readHost, wantsColour } from '../../src/start/context.ts';

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
])('%j on a terminal %s: colour %s', (env, isTty, wanted) => {
  expect(wantsColour(env, isTty)).toBe(wanted);
});

test('paint adds nothing where no colour is wanted', () => {
  expect(paint({ colour: false }, 'red', 'x')).toBe('x');
  expect(paint({ colour: true }, 'red', 'x')).toBe('\u001b[31mx\u001b[39m');
});

test('a failure keeps its lines, and what it quotes does nothing to the terminal', () => {
  const failure = new Failure('hook', 'git said:\n\x1b[2Jno\u202e', { hint: 'one\n\x1b[31mtwo' });
  expect(formatFailure({ colour: false }, failure)).toBe('pawl: git said:\nno\n      one\n      two\n');
});

function contextOf(env: Record<string, string>, tty: boolean) {
  const stream = () => Object.assign(new Writable(), { isTTY: tty, columns: 100 });
  const host = {
    argv: ['node', 'pawl', 'lint'],
    env,
    stdin: Object.assign(Readable.from([]), { isTTY: tty }),
    stdout: stream(),
    stderr: stream(),
    platform: 'linux',
    execPath: process.execPath,
  };
  return readHost(host as unknown as Host);
}

test('a person can be asked on a terminal, never without one and never in CI', () => {
  expect(contextOf({}, true)).toMatchObject({
    canAsk: true,
    isTty: true,
    columns: 100,
    argv: ['lint'],
    uid: undefined,
  });
  expect(contextOf({ CI: 'true' }, true).canAsk).toBe(false);
  expect(contextOf({ CI: 'false' }, true).canAsk).toBe(true);
  expect(contextOf({}, false)).toMatchObject({ canAsk: false, isTty: false });
});

test.each<[Record<string, string>, object]>([
  [
    {},
    { config: '/h/.config/pawl', state: '/h/.local/state/pawl', cache: '/h/.cache/pawl', runtime: undefined },
  ],
  [
    { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k', XDG_RUNTIME_DIR: '/r' },
    { config: '/c/pawl', state: '/s/pawl', cache: '/k/pawl', runtime: '/r/pawl' },
  ],
  [
    { XDG_CONFIG_HOME: 'relative', XDG_STATE_HOME: '' },
    { config: '/h/.config/pawl', state: '/h/.local/state/pawl' },
  ],
])('folders of %j', (env, wanted) => {
  expect(findFolders(env, '/h')).toMatchObject(wanted);
});
