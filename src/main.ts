// argv in, exit code out. The only file that touches the process: signals, streams, environment, exit.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { findFolders } from './config/folders.ts';
import { asFailure, exitCodes, Failure, type Interruption, pickExit, unwritable } from './failure.ts';
import { maskSecrets } from './journal/mask.ts';
import { jobControl } from './process/job-control.ts';
import { type CliContext, formatFailure, paint, readHost } from './start/context.ts';

const ctrlC: Interruption = { signal: 'SIGINT', exit: exitCodes.interrupted };
const interruptions: readonly Interruption[] = [
  ctrlC,
  { signal: 'SIGTERM', exit: exitCodes.terminated },
  { signal: 'SIGHUP', exit: exitCodes.hungUp },
];

// Both src/main.ts and dist/main.js are one folder below it.
const packageRoot = fileURLToPath(new URL('..', import.meta.url));

function readVersion(): string {
  return (JSON.parse(readFileSync(`${packageRoot}package.json`, 'utf8')) as { version: string }).version;
}

/** One Ctrl-C may come twice: npm passes on what the terminal has told all, and both shell and system hang up. */
const echoMs = 200;

/** The first signal requests an orderly end; the second exits at once. */
function watchSignals(): Pick<CliContext, 'signal' | 'interrupt'> {
  const controller = new AbortController();
  let sinceMs = 0;
  const interrupt = (interruption: Interruption) => {
    if (controller.signal.aborted) {
      if (performance.now() - sinceMs < echoMs) return;
      // Nothing else will clear the status line any more.
      if (process.stdout.isTTY) process.stdout.write('\r\x1b[J');
      process.exit(interruption.exit);
    }
    sinceMs = performance.now();
    controller.abort(interruption);
  };
  // Without one, as under nohup, nothing has hung up: that the signal is to be ignored, Node undoes.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const each of interruptions)
    process.on(each.signal, () => (each.signal !== 'SIGHUP' || hasTerminal) && interrupt(each));
  if (process.env['PAWL_FLEET_JOB'] !== undefined) endWithParent();
  return { signal: controller.signal, interrupt: () => interrupt(ctrlC) };
}

/** Once its worker is dead, another one goes on with the run, and nobody would end this session. */
function endWithParent(): void {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(look, 1_000).unref();
}

/**
 * Drops output that nobody reads: a closed pipe (EPIPE), a terminal that has gone (EIO). Another error is thrown once
 * only: on a full disk every later write fails too.
 */
function watchOutput(): AbortSignal {
  const closed = new AbortController();
  let isTold = false;
  const onError = (error: NodeJS.ErrnoException, isResult: boolean) => {
    const isUnread = error.code === 'EPIPE' || error.code === 'EIO' || error.code === 'ERR_STREAM_DESTROYED';
    if (isUnread && isResult) closed.abort();
    if (isUnread || isTold) return;
    isTold = true;
    throw unwritable(error, 'the output');
  };
  process.stdout.on('error', (error) => onError(error, true));
  process.stderr.on('error', (error) => onError(error, false));
  return closed.signal;
}

/** Node's own warnings, without those of experimental parts that pawl uses knowingly. */
function watchWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (name !== 'ExperimentalWarning') process.stderr.write(`${name}: ${message}\n`);
  });
}

function readCwd(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure('environment', 'the current folder does not exist any more', { cause });
  }
}

function makeProcessContext(
  watch: Pick<CliContext, 'signal' | 'interrupt'>,
  outputClosed: AbortSignal,
): CliContext {
  return {
    ...readHost(process),
    ...watch,
    job: jobControl(),
    cwd: readCwd(),
    outputClosed,
    version: readVersion(),
    folders: findFolders(process.env, homedir()),
    packageRoot,
    now: () => new Date(),
    // An import would take longer than all else `--version` does; globalThis.crypto takes 3 ms more.
    random: (bytes) => process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex'),
  };
}

function printFailure(error: unknown, signal: AbortSignal): number {
  const look = { colour: process.stderr.isTTY === true && !process.env['NO_COLOR'] };
  if (signal.aborted && (error === signal.reason || isAbort(error)))
    return (signal.reason as Interruption).exit;
  const failure = asFailure(error);
  // It may quote what a program printed.
  const mask = maskSecrets(process.env);
  if (failure) {
    process.stderr.write(mask(formatFailure(look, failure)));
    return failure.exit;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const where = `pawl ${readVersion()}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  process.stderr.write(
    `${mask(stack)}\n${paint(look, 'red', 'pawl:')} this is a bug in pawl (${where}); the run’s work is kept\n`,
  );
  return exitCodes.bug;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

let exitSoFar: number = exitCodes.done;

/**
 * Flushes all output, then exits, whatever is still open. May be called again when output fails: the gravest exit code
 * wins.
 */
async function exitWith(exit: number): Promise<never> {
  exitSoFar = pickExit([exitSoFar, exit]);
  const flush = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()));
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(exitSoFar);
}

async function main(): Promise<void> {
  const watch = watchSignals();
  const { signal } = watch;
  const outputClosed = watchOutput();
  watchWarnings();
  const onBug = (error: unknown) => void exitWith(printFailure(error, signal));
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  try {
    const [word, ...more] = process.argv.slice(2);
    if (more.length === 0 && (word === '--version' || word === '-V')) {
      process.stdout.write(`${readVersion()}\n`);
      await exitWith(exitCodes.done);
    }
    // A shell prompt waits for this one.
    const [run, another] = more.filter((each) => each !== '--line');
    if (word === 'status' && more.includes('--line') && !another && !run?.startsWith('-')) {
      const { readStatusLine } = await import('./cli/read-status-line.ts');
      const line = readStatusLine(readCwd(), new Date(), run);
      if (line !== '') process.stdout.write(`${line}\n`);
      await exitWith(exitCodes.done);
    }
    // Loads everything else only now.
    const { runProgram } = await import('./cli/program.ts');
    await exitWith(await runProgram(makeProcessContext(watch, outputClosed)));
  } catch (error) {
    await exitWith(printFailure(error, signal));
  }
}

void main();
