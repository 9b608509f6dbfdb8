// A world for a command: folders of its own, an environment without this machine's, and what was printed.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Command } from '../../src/cli/command.ts';
import { findFolders } from '../../src/config/folders.ts';
import type { CliContext } from '../../src/start/context.ts';
import { writeConsent } from '../../src/trust/consents.ts';
import { findTrustFiles } from '../../src/trust/trust-files.ts';
import { eachTest } from '../helpers/each-test.ts';

export type World = ReturnType<typeof makeWorld>;

/** A temporary world; it removes itself. `cwd`: where commands are called; `bin`: first in PATH, holds fake programs. */
export function makeWorld() {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-world-')));
  const [cwd, bin, home] = ['repo', 'bin', 'home'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [cwd, bin, home]) mkdirSync(folder);
  writeFileSync(path.join(home, '.gitconfig'), '[user]\nname = A\nemail = a@b\n');
  const write = (file: string, text: string) => {
    const target = path.join(cwd, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  const context = (more: Partial<CliContext> = {}): CliContext => ({
    argv: [],
    cwd,
    env: {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: home,
      GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
      GIT_CONFIG_SYSTEM: '/dev/null',
    },
    stdin: Readable.from([]),
    stdout: sink([]),
    stderr: sink([]),
    isTty: false,
    canAsk: false,
    columns: 80,
    colour: false,
    signal: new AbortController().signal,
    interrupt: () => {},
    job: { isForeground: () => true, suspend: () => {}, on: () => ({ [Symbol.dispose]: () => {} }) },
    outputClosed: new AbortController().signal,
    version: '9.9.9',
    platform: 'linux',
    nodePath: process.execPath,
    uid: 1000,
    folders: findFolders({}, home),
    packageRoot: path.resolve(import.meta.dirname, '../..'),
    now: () => new Date('2026-01-02T03:04:05Z'),
    random: (bytes) => 'ab'.repeat(bytes),
    ...more,
  });
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd, env: context().env, encoding: 'utf8', stdio: 'pipe' }).trim();
  return {
    ...{ top, cwd, bin, context, write, git },
    /** Commits all that is there. */
    commit: (message: string) => {
      git('add', '-A');
      git('commit', '-qm', message);
    },
    /** Consent to what is there now. */
    trust: () => writeConsent(findFolders({}, home), cwd, { files: findTrustFiles(cwd), at: 'now' }),
    /** Puts a shell script in PATH. */
    program: (name: string, script: string) => {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(bin, name), 0o755);
    },
    /** Runs a command and returns what it printed and its exit code. */
    run: async <Options>(
      command: Command<Options>,
      options: Options,
      args: readonly string[] = [],
      more: Partial<CliContext> = {},
    ) => {
      const [out, err]: [string[], string[]] = [[], []];
      const exit = await command(context({ stdout: sink(out), stderr: sink(err), ...more }), args, options);
      return { exit, stdout: out.join(''), stderr: err.join('') };
    },
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  };
}

function sink(chunks: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk.toString());
      done();
    },
  });
}

/** One for each test of a file; with `git` in a repository. Whoever commits has a name. */
export function eachWorld({ git = false } = {}): World {
  return eachTest(() => {
    const world = makeWorld();
    if (git) world.git('init', '-q', '-b', 'main');
    return world;
  });
}

/** A person at a terminal who presses these keys, one each time something is shown. */
export function answering(keys: readonly string[]): Partial<CliContext> {
  const left = [...keys];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const press = (_chunk: unknown, _encoding: unknown, done: () => void): void => {
    setImmediate(() => stdin.write(left.shift() ?? ''));
    done();
  };
  const stderr = Object.assign(new Writable({ write: press }), { isTTY: true, columns: 80, rows: 24 });
  return { canAsk: true, stdin, stderr } as unknown as Partial<CliContext>;
}
