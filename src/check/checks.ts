// Runs a plan's checks. Only the exit code decides.
import { access, appendFile, constants, realpath } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../defined.ts';
import { unwritable, whyUnread } from '../failure.ts';
import type { Check } from '../plan/plan.ts';
import { type ProgramEnd, runProgram } from '../process/run-program.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { CheckRun } from './check-run.ts';
import { boundText, fingerprint, outputLimits } from './evidence.ts';
import { findStartComplaint, type Shell } from './shell.ts';
import { readTestCounts } from './test-counts.ts';

export type CheckDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  shell: Shell;
  /** The user's, without nested-session variables; `CI=1` and a mark are added. */
  env: Readonly<Record<string, string>>;
  root: string;
  timeoutMs: number;
  signal: AbortSignal;
}>;

/**
 * A bad end is a value; throws a Failure `disk` if `log` cannot be written. Checks at the same time need different logs:
 * what carries `PAWL_CHECK=<log>` is ended after the check.
 */
export async function runCheck(deps: CheckDeps, check: Check, log: string): Promise<CheckRun> {
  const place = await findPlace(deps.root, check.cwd);
  if ('reason' in place) return refuse(check, log, place.reason);
  const end = await runProgram(deps, {
    file: deps.shell.file,
    args: [...deps.shell.args, namingItsLine(check, deps.shell)],
    cwd: place.folder,
    env: { ...deps.env, CI: '1', PAWL_CHECK: log },
    timeoutMs: deps.timeoutMs,
    signal: deps.signal,
    keepBytes,
    outputFile: log,
    mark: `PAWL_CHECK=${log}`,
  });
  return judge(check, log, end, deps.timeoutMs);
}

/** To name the red line of several; only bash can. A line may turn `-e` off. */
function namingItsLine({ command, scope }: Check, { name }: Shell): string {
  return name === 'bash' && scope !== 'config' && command.includes('\n') ? `${nameLine}${command}` : command;
}

const nameLine = String.raw`trap 'case $- in *e*) printf "line %s of this check ended with exit code %s: %s\n" "$LINENO" "$?" "$BASH_COMMAND" >&2;; esac' ERR; `;

/** Of each end of the output, for the fingerprint. */
const keepBytes = 256 * 1024;

function judge(check: Check, log: string, end: ProgramEnd, timeoutMs: number): CheckRun {
  const { code, signal } = end.ended;
  const { result, reason } = judgeEnd(end, timeoutMs);
  return {
    check,
    result,
    exitCode: code,
    ...(signal ? { signal } : {}),
    durationMs: end.durationMs,
    log,
    output: boundText(end.output.text, outputLimits, { omittedBytes: end.output.omittedBytes }),
    ...defined({ reason, tests: readTestCounts(end.output.text) }),
    ...(result === 'green' ? {} : { fingerprint: fingerprint(check.command, result, end.output.text) }),
    leftovers: end.leftovers,
  };
}

function judgeEnd({ aborted, ended, timedOut, output }: ProgramEnd, timeoutMs: number) {
  const end = (result: CheckRun['result'], reason?: string) => ({ result, reason });
  if (aborted) return end('interrupted', 'It was interrupted before it ended.');
  if (ended.startError)
    return end('could-not-run', `The shell could not be started: ${ended.startError.message}.`);
  if (timedOut)
    return end('timed-out', `It took longer than ${Math.round(timeoutMs / 1000)} s and was ended.`);
  const complaint = findStartComplaint(ended.code, output.text);
  if (complaint !== undefined) return end('could-not-run', complaint);
  return end(ended.code === 0 ? 'green' : 'red');
}

/** Symlinks followed; a reason if it is missing or outside the repository. */
async function findPlace(root: string, cwd: string): Promise<{ folder: string } | { reason: string }> {
  try {
    const folder = await realpath(path.resolve(root, cwd));
    const within = path.relative(await realpath(root), folder);
    if (within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within))
      return { reason: `Its folder ${cwd} leads out of the repository.` };
    await access(`${folder}/.`, constants.X_OK);
    return { folder };
  } catch (error) {
    return { reason: `Its folder ${cwd} cannot be entered: ${whyUnread(error)}.` };
  }
}

async function refuse(check: Check, log: string, reason: string): Promise<CheckRun> {
  try {
    await appendFile(log, `${reason}\n`, { mode: 0o600 });
  } catch (cause) {
    throw unwritable(cause, log);
  }
  return {
    check,
    result: 'could-not-run',
    exitCode: null,
    durationMs: 0,
    log,
    output: reason,
    reason,
    fingerprint: fingerprint(check.command, 'could-not-run', reason),
    leftovers: [],
  };
}
