// Starts the watchdog and keeps it alive, so that nothing of a run outlives pawl: a shell waiting on a pipe.
// run-watchdog-main.ts takes over when pawl dies.
import type { ChildProcess } from 'node:child_process';
import { sleep, startClock } from './clock.ts';
import { endsWithin, signalProcesses } from './end.ts';
import { findOwnProgram } from './find-program.ts';
import { endRun, findCarriers } from './host-sweep.ts';
import { startBeside } from './spawn.ts';
import type { Process } from './sweep.ts';

export type RunWatchdogOptions = Readonly<{
  /** From TERM to KILL when pawl is gone; default 5 s. */
  graceMs?: number;
  /** No earlier process of the run left anything; looking takes two reads of each process. */
  isFirst?: boolean;
  /** Accepts `-c script`; default /bin/sh. */
  shell?: string;
  /** After an unwanted exit; it is started again unless `again` is false. */
  onExit?: (exit: Readonly<{ code: number | null; signal: NodeJS.Signals | null; again: boolean }>) => void;
}>;

/** An agent first ends its own children. */
const watchdogGraceMs = 5_000;

/** In a row, each within `steadyMs` of its start; then no other is started. */
const maxDeaths = 3;
const steadyMs = 10_000;

/**
 * First waits for an earlier watchdog of the run, which would take this one's sessions for its own, and ends what is
 * left.
 */
export async function startRunWatchdog(run: string, options: RunWatchdogOptions = {}): Promise<RunWatchdog> {
  const graceMs = options.graceMs ?? watchdogGraceMs;
  if (!options.isFirst) await waitForFormer(run, graceMs + killAllowanceMs);
  const leftovers = options.isFirst ? [] : await endRun(run, { graceMs });
  const watchdog = new RunWatchdog({ run, graceMs }, options, leftovers);
  watchdog.start();
  return watchdog;
}

/** For an earlier watchdog beyond its grace, before it is killed itself. */
const killAllowanceMs = 5_000;

async function waitForFormer(run: string, ms: number): Promise<void> {
  const end = performance.now() + ms;
  let former = findCarriers(watchdogEntry(run));
  for (; former.length > 0 && performance.now() < end; former = findCarriers(watchdogEntry(run)))
    await sleep(50);
  signalProcesses(former, 'SIGKILL');
}

function watchdogEntry(run: string): string {
  return `PAWL_WATCHDOG=${run}`;
}

type Watch = Readonly<{ run: string; graceMs: number }>;

export class RunWatchdog {
  #child: ChildProcess | undefined;
  #closing = false;
  #deaths = 0;
  readonly #watch: Watch;
  readonly #options: RunWatchdogOptions;
  /** Of an earlier process of the run, already ended. */
  readonly leftovers: readonly Process[];

  constructor(watch: Watch, options: RunWatchdogOptions, leftovers: readonly Process[]) {
    this.leftovers = leftovers;
    this.#watch = watch;
    this.#options = options;
  }

  /** Undefined between two, or if none could be started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const since = performance.now();
    try {
      const child = launch(this.#watch, this.#options.shell ?? '/bin/sh');
      this.#child = child;
      child.on('error', () => child.pid === undefined && this.#ended(since, { code: null, signal: null }));
      child.on('exit', (code, signal) => this.#ended(since, { code, signal }));
    } catch {
      this.#ended(since, { code: null, signal: null });
    }
  }

  /** Ends what is left of the run, then the watchdog, and waits for its exit. */
  async close(): Promise<void> {
    this.#closing = true;
    const { run, graceMs } = this.#watch;
    const isOver = await endRun(run, { graceMs }).then(
      () => true,
      () => false,
    );
    const child = this.#child;
    if (child === undefined) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end(isOver ? `${overWord}\n` : '');
    // Not even KILL may end it: that is not waited for.
    if (!(await endsWithin({ ended }, graceMs + killAllowanceMs))) child.kill('SIGKILL');
  }

  #ended(since: number, exit: { code: number | null; signal: NodeJS.Signals | null }): void {
    this.#child = undefined;
    if (this.#closing) return;
    this.#deaths = performance.now() - since < steadyMs ? this.#deaths + 1 : 1;
    const again = this.#deaths < maxDeaths;
    this.#options.onExit?.({ ...exit, again });
    if (again) startClock(restartMs, () => this.#closing || this.start(), { unref: true });
  }
}

const restartMs = 100;

/** pawl writes it when nothing is left of the run; anything else, above all its death, starts the sweep. */
const overWord = 'over';

/** A shell that ignores signals: a waiting Node holds 45 MB and takes a third of a short run's start. */
const waitScript = `trap '' INT HUP TERM QUIT; read -r word; [ "$word" = ${overWord} ] || exec "$@"`;

function launch({ run, graceMs }: Watch, shell: string): ChildProcess {
  const sweep = [
    process.execPath,
    findOwnProgram(import.meta.url, './run-watchdog-main.ts', 'run-watchdog.js'),
    run,
    String(graceMs),
  ];
  // Without marks, secrets or NODE_OPTIONS, in a folder that nobody removes.
  const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin', PAWL_WATCHDOG: run };
  return startBeside([shell, '-c', waitScript, 'pawl-watchdog', ...sweep], env);
}
