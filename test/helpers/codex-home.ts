// The surroundings in which tests run the real codex CLI: a home of its own, a dummy key, and the scripted model instead
// of any network. It starts nothing.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../src/process/find-program.ts';
import { makeTempFolder } from './temp-folder.ts';

/** The CLI that `npm test` installs. */
const codexPath = path.join(import.meta.dirname, '..', '.agents', 'codex');

/** What makes codex at home: its `login` as variables, and a complete `env` into which nothing of this user's login is inherited. `program` is codex with that PATH. */
export type CodexHome = Disposable &
  Readonly<Record<'login' | 'env', Record<string, string>> & { program: string }>;

/** A home with codex's settings for the model at `apiUrl`. */
export async function makeCodexHome(apiUrl: string): Promise<CodexHome> {
  const home = makeTempFolder();
  const folder = path.join(home.path, '.codex');
  await mkdir(folder);
  await writeFile(path.join(folder, 'config.toml'), settings(apiUrl));
  // codex 0.169.0 wraps commands in the bwrap that it finds in PATH; with one before 0.9 it loses its own helper, which it puts
  // into no CODEX_HOME under a temporary folder: it gets none.
  const bin = path.join(home.path, 'bin');
  await mkdir(bin);
  await Promise.all(
    ['bash', 'cat', 'env', 'git', 'sh'].map((name) => symlink(whereIs(name), path.join(bin, name))),
  );
  const program = path.join(home.path, 'codex');
  await writeFile(program, `#!/bin/sh\nPATH='${bin}' exec '${codexPath}' "$@"\n`, { mode: 0o755 });
  const inherited = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined && !/^(OPENAI|CODEX|CLAUDE|ANTHROPIC|PAWL|AZURE|XDG|GITHUB)|PROXY$/i.test(name),
  );
  const login = { CODEX_HOME: folder, OPENAI_API_KEY: 'dummy', NO_PROXY: '127.0.0.1' };
  return {
    program,
    login,
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      HOME: home.path,
      ...login,
      PATH: bin,
    },
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

function whereIs(program: string): string {
  const found = findProgram(program, process.env['PATH']);
  if (found === undefined) throw new Error(`${program} is not in PATH`);
  return found;
}

function settings(apiUrl: string): string {
  return [
    'model = "scripted"',
    'model_provider = "scripted"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    // It would ask GitHub for its list of plugins at each start.
    '[features]',
    'plugins = false',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = ${JSON.stringify(apiUrl)}`,
    'wire_api = "responses"',
    'env_key = "OPENAI_API_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 1',
    '',
  ].join('\n');
}
