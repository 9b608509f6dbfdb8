// Whether sessions that may change nothing can see the tree read-only: bubblewrap is tried once, before the
// run.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { Failure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { findProgram } from '../../process/find-program.ts';
import type { Spawn } from '../../process/spawn.ts';
import { probeArgs } from '../../sandbox/bubblewrap.ts';
import { foldersOf, type ReadOnlyTree, readOnlyArgs, readOnlySpawn } from '../../sandbox/read-only.ts';
import type { CliContext } from '../context.ts';
import { host } from '../host.ts';
import { realOf } from '../locate.ts';
import { runQuietly } from '../run-quietly.ts';

/** Undefined if bubblewrap cannot do it, or the agent keeps files in the tree. */
export async function findReadOnlySpawn(context: CliContext, tree: ReadOnlyTree): Promise<Spawn | undefined> {
  const bwrap = context.platform === 'linux' ? findBwrap(context) : undefined;
  if (bwrap === undefined || keepsFilesIn(tree, context.env)) return undefined;
  const probe = { file: 'true', args: [], cwd: tree.commonDir };
  const { code } = await runQuietly(context, bwrap, readOnlyArgs(tree, probe));
  return code === 0 ? readOnlySpawn(host, bwrap, tree) : undefined;
}

/** Variables that name a folder of programs' own files: CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_STATE_HOME, … */
const namesOwnFolder = /^(?:HOME|TMPDIR|TMP|TEMP|XDG_RUNTIME_DIR|\w+_(?:HOME|CONFIG_DIR|DATA_DIR))$/;

/** Whether an agent's folder, by a variable or a link in the home, is in the tree: it could not work then. */
export function keepsFilesIn(tree: ReadOnlyTree, env: CliContext['env']): boolean {
  const named = Object.entries(env).flatMap(([name, value]) => (namesOwnFolder.test(name) ? [value] : []));
  const home = env['HOME'] || '/';
  const own = [...named, ...linksOf(home), ...linksOf(path.join(home, '.config'))];
  const folders = foldersOf(tree).map(realOf);
  return own
    .filter(path.isAbsolute)
    .some((file) => folders.some((folder) => isAtOrBelow(realOf(file), folder)));
}

function linksOf(folder: string): readonly string[] {
  const entries = orElse(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(folder, name));
}

/** Throws a Failure if bubblewrap cannot make a sandbox here. */
export async function judgeBwrap(context: CliContext): Promise<void> {
  if (context.platform !== 'linux')
    throw new Failure('environment', '--sandbox process needs bubblewrap, which runs on Linux only', {
      hint: 'Use --sandbox docker.',
    });
  const bwrap = findBwrap(context);
  if (bwrap === undefined)
    throw new Failure('environment', 'bubblewrap was not found, and the run needs it for its sandbox', {
      hint: 'Install it (the package is called bubblewrap), or use --sandbox docker.',
    });
  const { code, stderr } = await runQuietly(context, bwrap, probeArgs);
  if (code === 0) return;
  const why = stderr.trim().split('\n')[0] || `it ended with ${code ?? 'a signal'}`;
  throw new Failure('environment', `bubblewrap cannot create a sandbox here: ${why}`, {
    hint: 'Some systems allow user namespaces only for programs with an AppArmor profile, and a container may forbid them. Use --sandbox docker.',
  });
}

export function findBwrap({ env }: CliContext): string | undefined {
  return findProgram('bwrap', env['PATH']);
}
