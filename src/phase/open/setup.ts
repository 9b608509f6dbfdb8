// Makes a ground ready for checks, once, by `worktree.setup`: the command that makes a fresh tree ready, such as an
// installation.
import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { tellingLine } from '../../check/telling-line.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { fewOf } from '../../git/run/names.ts';
import { lookAtTree, newFiles } from '../../git/tree/look.ts';
import { listDirt } from '../../git/tree/tree.ts';
import { copyHooks } from '../../ground/copy-hooks.ts';
import { inRun } from '../../journal/folder.ts';
import { leftOutIn, type Place } from '../../place/place.ts';

/** Makes the run's own ground ready. If a command is red, throws a Failure, and the next start tries again. */
export async function setUpGround(place: Place): Promise<void> {
  const { worktree, phasesEnded } = place.run.state();
  // If a person has taken the branch into a tree of theirs, the run continues there, and setting it up is up to them.
  if (worktree?.path !== place.repo.root) return;
  if (phasesEnded.includes('setup') || place.run.signal.aborted) return;
  place.run.emit({ type: 'phase', phase: 'setup', state: 'started' });
  if (!(await makeReady(place))) return;
  place.run.emit({ type: 'phase', phase: 'setup', state: 'ended', reason: 'the ground is ready' });
}

/** Returns false if it was interrupted. `suffix`: of the log's name. */
export async function makeReady(place: Place, suffix = ''): Promise<boolean> {
  const { home, repo, run } = place;
  const { setup } = run.config.worktree;
  if (!home || setup === undefined) return true;
  if (!(await runSetup(place, setup, `setup${suffix}`))) return false;
  // It may have put hooks into the first tree's hooks folder, or generated its own.
  copyHooks(home.repo, repo);
  return true;
}

/**
 * Runs a command that prepares a tree; what it creates is not work. Returns false if interrupted. `name`: of its log, after
 * the setting it belongs to.
 */
export async function runSetup(place: Place, command: string, name: string): Promise<boolean> {
  const before = newFiles(await lookAtTree(place.repo, place.index));
  const dirt = new Set(await listDirt(place.repo));
  const log = path.join(place.run.folder, inRun.checks, `${name}.log`);
  const [setting = name] = name.split('-', 1);
  const told = { check: setting, command, when: 'setup' } as const;
  place.run.emit({ type: 'check-started', ...told });
  const run = await runCheck(
    {
      ...place,
      signal: place.run.signal,
      root: place.repo.root,
      mark: `PAWL_CHECK=${place.run.folder}/${name}`,
      timeoutMs: place.run.config.clocks.check,
    },
    { ...fromSettings, command },
    { cwd: place.repo.root, log },
  );
  const { result, exitCode, durationMs, fingerprint } = run;
  const says = result === 'green' ? undefined : tellingLine(run.output);
  place.run.emit({
    type: 'check-ended',
    ...told,
    ...{ result, exitCode, durationMs, log: `${inRun.checks}/${name}.log` },
    ...defined({ fingerprint, says }),
  });
  if (result === 'interrupted') return false;
  if (result !== 'green') throw isRed({ setting, command }, run.reason ?? `exit ${run.exitCode}`, log);
  const changed = (await listDirt(place.repo)).filter((file) => !dirt.has(file));
  if (changed.length > 0) throw changesFiles({ setting, command }, changed);
  const known = new Set([...before, ...leftOutIn(place)]);
  const files = newFiles(await lookAtTree(place.repo, place.index)).filter((file) => !known.has(file));
  if (files.length > 0) place.run.emit({ type: 'files-made', files });
  return true;
}

const fromSettings = {
  id: 'setup',
  scope: 'config',
  knownRed: false,
  atEnd: false,
  place: { line: 0, column: 0, offset: 0 },
} as const;

type SetupCommand = Readonly<{ setting: string; command: string }>;

function isRed({ setting, command }: SetupCommand, why: string, log: string): Failure {
  return new Failure('environment', `worktree.${setting} failed: ${command} (${why})`, {
    hint: `Its output: ${log}. The next start tries again.`,
  });
}

/** The changes would be mistaken for the first task's work. */
function changesFiles({ setting, command }: SetupCommand, files: readonly string[]): Failure {
  return new Failure(
    'environment',
    `worktree.${setting} (${command}) changed committed files: ${fewOf(files)}`,
    {
      hint: 'Use a command that does not change them, such as npm ci, and restore them in the working tree.',
    },
  );
}
