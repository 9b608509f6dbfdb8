// Whether this machine has bubblewrap, and lets it work. Opens no sandbox, so it loads none of its code.
import { Failure } from '../../failure.ts';
import { findProgram } from '../../process/find-program.ts';
import { probeArgs } from '../../sandbox/bwrap-args.ts';
import type { CliContext } from '../context.ts';
import { runQuietly } from '../run-quietly.ts';

/** Throws a Failure that says why bubblewrap cannot make a sandbox here. */
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

/** Path of bubblewrap; undefined if there is none. */
export function findBwrap({ env }: CliContext): string | undefined {
  return findProgram('bwrap', env['PATH']);
}
