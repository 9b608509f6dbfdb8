// Ends processes for good: TERM and CONT, a grace period, KILL, until none is left. The caller's function lists them
// anew each time.
import { sleep, startClock } from './clock.ts';
import { readStartTime, readState } from './process-table.ts';
import { parentsFirst } from './select.ts';
import type { Spawned } from './spawn.ts';
import type { Process } from './sweep.ts';

/** From TERM to KILL by default. */
const sweepGraceMs = 2_000;

/** Rounds of KILL without freezing; what spawns faster is frozen as a whole, then killed. */
const plainRounds = 3;

/** Rounds of KILL without new processes; what is left cannot be killed (uninterruptible sleep, another user's). */
const stuckRounds = 40;

/** For all rounds of KILL. */
const killMs = 15_000;

/** Passes over the table in a round, to stop what re-spawns faster than it is read. */
const freezePasses = 10;

export type LiveTargets = Readonly<{
  find: () => Promise<readonly Process[]>;
  /** Stops each that carries the mark at sight, unless in `except` (by `keyOf`). */
  freeze: (except: ReadonlySet<string>) => void;
}>;

/** Returns those it ended. */
export async function endProcesses(
  targets: LiveTargets,
  options: { except?: readonly Process[] | undefined; graceMs?: number | undefined },
): Promise<readonly Process[]> {
  const except = new Set(options.except?.map(keyOf));
  const seen = new Map<string, Process>();
  const look = async (): Promise<readonly Process[]> => {
    const found = (await targets.find()).filter((each) => !except.has(keyOf(each)));
    // The first sighting is kept: at its exit a process has no command line any more.
    for (const each of found) if (!seen.has(keyOf(each))) seen.set(keyOf(each), each);
    return found;
  };
  const gone = await tellAll(look, options.graceMs ?? sweepGraceMs);
  for (const left of await kill({ look, freeze: () => freeze(look, targets, except), empty: gone ? 1 : 0 }))
    seen.delete(keyOf(left));
  return [...seen.values()];
}

type Look = () => Promise<readonly Process[]>;

async function tellAll(look: Look, graceMs: number): Promise<boolean> {
  const end = performance.now() + graceMs;
  const told = new Set<string>();
  for (let pauseMs = 5; performance.now() < end; pauseMs = Math.min(2 * pauseMs, 100)) {
    const found = await look();
    if (found.length === 0) return true;
    const fresh = found.filter((each) => !told.has(keyOf(each)));
    for (const each of fresh) told.add(keyOf(each));
    signalProcesses(fresh, 'SIGTERM');
    signalProcesses(fresh, 'SIGCONT');
    await sleep(Math.min(pauseMs, end - performance.now()));
  }
  return false;
}

async function kill(
  given: Readonly<{ look: Look; freeze: Look; empty: number }>,
): Promise<readonly Process[]> {
  const end = performance.now() + killMs;
  const known = new Set<string>();
  let { empty } = given;
  let needed = 2;
  for (let round = 0, stuck = 0; stuck < stuckRounds && performance.now() < end; round += 1) {
    const found = await given.look();
    // One look can miss a fork or an exec; several hardly can.
    if (found.length > 0) needed = 4;
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty >= needed) return [];
    stuck = found.every((each) => known.has(keyOf(each))) ? stuck + 1 : 0;
    for (const each of found) known.add(keyOf(each));
    if (found.length > 0)
      signalProcesses(round < plainRounds ? found : [...found, ...(await given.freeze())], 'SIGKILL');
    await sleep(Math.min(2 ** stuck, 50));
  }
  return given.look();
}

async function freeze(
  look: Look,
  { freeze: stopAtOnce }: LiveTargets,
  except: ReadonlySet<string>,
): Promise<readonly Process[]> {
  for (let pass = 0; pass < freezePasses; pass += 1) stopAtOnce(except);
  signalProcesses(await look(), 'SIGSTOP');
  return look();
}

export function keyOf({ pid, startTime }: Pick<Process, 'pid' | 'startTime'>): string {
  return `${pid}@${startTime}`;
}

/** KILL may not reach a process in the kernel, or another user's. */
const killedMs = 5_000;

/** False if it lives on after KILL. `graceMs`: from TERM to KILL. */
export async function terminate(
  program: Pick<Spawned, 'signal' | 'ended'>,
  graceMs: number,
): Promise<boolean> {
  program.signal('SIGTERM');
  program.signal('SIGCONT');
  if (await endsWithin(program, graceMs)) return true;
  program.signal('SIGKILL');
  return endsWithin(program, killedMs);
}

/** False if the time passed first. */
export function endsWithin({ ended }: Readonly<{ ended: Promise<unknown> }>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const clock = startClock(ms, () => resolve(false));
    void ended.then(() => {
      clock.stop();
      resolve(true);
    });
  });
}

/** For processes to really stop; total, blocking. */
const stopWaitMs = 250;

/**
 * Parents first, for SIGSTOP each stopped before the next; for SIGCONT children first: no parent sees a stopped child.
 */
export function signalProcesses(processes: readonly Process[], signal: NodeJS.Signals): void {
  const ordered = parentsFirst(processes);
  const waitUntil = performance.now() + stopWaitMs;
  for (const { pid, startTime } of signal === 'SIGCONT' ? [...ordered].reverse() : ordered) {
    if (readStartTime(pid) !== startTime) continue;
    signalProcess(pid, signal);
    if (signal === 'SIGSTOP') waitForStop(pid, waitUntil);
  }
}

/** Blocking: nothing else may happen. Its pauses leave the processor to the process being stopped. */
function waitForStop(pid: number, waitUntil: number): void {
  for (
    let pauseMs = 0.1;
    !hasStopped(pid) && performance.now() < waitUntil;
    pauseMs = Math.min(2 * pauseMs, 2)
  )
    Atomics.wait(never, 0, 0, pauseMs);
}

const never = new Int32Array(new SharedArrayBuffer(4));

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Just ended, or another user's.
  }
}

function hasStopped(pid: number): boolean {
  const state = readState(pid);
  return state === undefined || 'TtZX'.includes(state);
}
