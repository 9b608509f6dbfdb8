// pawl as it is shipped, built from the sources into a folder of its own, with what tests load into it: so that hundreds
// of starts compile nothing, and no other build comes between. Built when the first test asks for one of its files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'tsdown';
import { entries, mounted, page, shipped } from '../tsdown.config.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Loaded with `node --import`, but for the scripted agent and the forge; built with pawl, so that pawl's door of effects is the one they surround. */
const preloads = {
  'scripted-agent': 'test/fixtures/agents/scripted/agent.ts',
  'kill-at': 'test/helpers/kill-at.ts',
  'fault-at': 'test/helpers/fault-at.ts',
  'short-clocks': 'test/helpers/short-clocks.ts',
  'watch-seam': 'test/helpers/watch-seam.ts',
  'count-calls': 'test/bench/count-calls.ts',
  forge: 'test/fixtures/forge/forge.ts',
};

/** A program or preload of the build. */
export type Built = keyof typeof entries | keyof typeof preloads;

/** A built pawl: `command` is the file that `node` starts. Removes itself at the end of its scope. */
export type BuiltPawl = AsyncDisposable & Readonly<{ command: string }>;

/** A place for a build; `builtFile` finds it from now on, in child processes too. */
export async function placeBuild(): Promise<BuiltPawl> {
  const top = await mkdtemp(path.join(tmpdir(), 'pawl-built-'));
  const folder = path.join(top, 'pawl');
  process.env['BUILT_PAWL'] = folder;
  return {
    command: path.join(folder, 'dist', 'pawl.js'),
    // A worker that has just ended may still write to the compile cache beside it.
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Builds pawl now. */
export async function buildPawl(): Promise<BuiltPawl> {
  const pawl = await placeBuild();
  builtFile('pawl');
  return pawl;
}

/** The file of a program or preload in the newest build, which is made if it is not there yet. */
export function builtFile(name: Built): string {
  const folder = process.env['BUILT_PAWL'];
  if (folder === undefined) throw new Error('nothing is built: start tests by vitest with its config');
  if (!existsSync(path.join(folder, done)))
    execFileSync(process.execPath, [import.meta.filename, folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return path.join(folder, 'dist', `${name}.js`);
}

/** Is there once a build is whole. */
const done = 'built';

/** Builds pawl with what is shipped beside it, or waits for another process that does. */
async function buildInto(folder: string): Promise<void> {
  try {
    // Whoever makes it builds.
    mkdirSync(`${folder}.building`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    while (!existsSync(path.join(folder, done))) await new Promise((resolve) => setTimeout(resolve, 100));
    return;
  }
  const entry = { ...entries, ...preloads };
  const outDir = path.join(folder, 'dist');
  await build({ ...shipped, config: false, entry, outDir });
  await build({ ...mounted, config: false, outDir });
  await build({ ...page, config: false, outDir });
  for (const name of ['package.json', 'templates', 'docker'])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  // What is not bundled is found as beside an installed pawl.
  await symlink(path.join(root, 'node_modules'), path.join(folder, '..', 'node_modules'));
  writeFileSync(path.join(folder, done), '');
}

/** Whether an environment names clocks for the preload `short-clocks`. */
export function isShortened(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name === 'SHORT_CLOCKS_MS' || name.startsWith('FIXED_'));
}

if (process.argv[1] === import.meta.filename) await buildInto(process.argv[2] ?? '');
