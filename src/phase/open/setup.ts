// `worktree.setup`: the command that makes a fresh working tree fit for checks, e.g. an installation. It runs once per tree.

import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { Failure } from '../../failure.ts';
import { lookAtTree, newFiles } from '../../git/look.ts';
import { fewOf } from '../../git/names.ts';
import { listDirt } from '../../git/tree.ts';
import { inRun } from '../../journal/folder.ts';
import type { Context } from '../../place/context.ts';

/** Sets the run's own working tree up, unless it was done or there is nothing to do; red is a Failure, and the next start tries again. */
export async function setUpWorktree(ctx: Context): Promise<void> {
  const { setup: command } = ctx.config.worktree;
  const { worktree, phasesEnded } = ctx.state();
  // Where a person has taken its branch over the run goes on in their tree, which is theirs to set up.
  if (worktree?.path !== ctx.repo.root) return;
  if (command === undefined || phasesEnded.includes('setup') || ctx.signal.aborted) return;
  ctx.emit({ type: 'phase-started', phase: 'setup' });
  const before = newFiles(await lookAtTree(ctx.repo, ctx.index));
  const dirt = new Set(await listDirt(ctx.repo));
  const log = path.join(ctx.run.folder, inRun.checks, 'setup.log');
  const run = await runCheck(
    {
      ...ctx,
      root: ctx.repo.root,
      mark: `PAWL_CHECK=${ctx.run.folder}/setup`,
      timeoutMs: ctx.config.clocks.check,
    },
    { ...fromSettings, command },
    { cwd: ctx.repo.root, log },
  );
  if (run.result === 'interrupted') return;
  if (run.result !== 'green') throw isRed(command, run.reason ?? `exit ${run.exitCode}`, log);
  const changed = (await listDirt(ctx.repo)).filter((file) => !dirt.has(file));
  if (changed.length > 0) throw changesFiles(command, changed);
  const known = new Set([...before, ...ctx.state().leftOut]);
  const files = newFiles(await lookAtTree(ctx.repo, ctx.index)).filter((file) => !known.has(file));
  if (files.length > 0) ctx.emit({ type: 'files-made', files });
  ctx.emit({ type: 'phase-ended', phase: 'setup', reason: `${command} ran` });
}

const fromSettings = {
  id: 'setup',
  scope: 'config',
  knownRed: false,
  atEnd: false,
  place: { line: 0, column: 0, offset: 0 },
} as const;

function isRed(command: string, why: string, log: string): Failure {
  return new Failure('environment', `worktree.setup failed: ${command} (${why})`, {
    hint: `Its output: ${log}. The same command tries again in the same working tree.`,
  });
}

/** They would be taken for the first task's work. */
function changesFiles(command: string, files: readonly string[]): Failure {
  return new Failure('environment', `worktree.setup (${command}) changed committed files: ${fewOf(files)}`, {
    hint: 'Use a command that leaves them as they are, such as npm ci, and put them back in the working tree.',
  });
}
