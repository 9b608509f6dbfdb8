// Small real programs for the tests of this room; whatever a test starts is gone when its run is disposed.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '../../src/process/environment.ts';
import { endRun, sweep } from '../../src/process/host-sweep.ts';
import { parseStat } from '../../src/process/process-table.ts';
import { type Spawned, type SpawnRequest, spawn } from '../../src/process/spawn.ts';
import type { Mark } from '../../src/process/sweep.ts';

/** Both on this host, as pawl uses them. */
export { spawn, sweep };

let count = 0;

/** A run of its own, with marks no other test has. */
export function openRun() {
  count += 1;
  const id = `test-${process.pid}-${count}-${Date.now()}`;
  const mark: Mark = `PAWL_SESSION=${id}/1`;
  return {
    id,
    mark,
    env: childEnvironment(process.env, { mark }),
    /** Starts a shell script that carries the mark; its output is left unread but for what the test reads. */
    start(script: string, more: Partial<SpawnRequest> = {}): Spawned {
      return spawn({ ...shell(script), env: this.env, ...more });
    },
    [Symbol.asyncDispose]: async () => {
      await endRun(id, { graceMs: 0 });
    },
  };
}

/** A shell script as a request, with the tests' own environment. */
export function shell(script: string): SpawnRequest {
  return {
    file: 'bash',
    args: ['-c', script],
    cwd: '/tmp',
    env: childEnvironment(process.env),
    input: 'closed',
  };
}

/** Reads an output to its end. */
export async function readAll(output: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reads one output line by line. */
export async function* readLines(output: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of output) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** The first `n` lines of a program's stdout, which stays open. */
export async function firstLines(program: Spawned, n: number): Promise<string[]> {
  const lines = readLines(program.stdout);
  const got: string[] = [];
  while (got.length < n) {
    const next = await lines.next();
    if (next.done) throw new Error(`the program said only ${JSON.stringify(got)}`);
    got.push(next.value);
  }
  return got;
}

/** True for a process that lives and is no zombie. */
export function isAlive(pid: number): boolean {
  return statOf(pid) !== undefined;
}

/** What the system says of a live process. */
export function statOf(pid: number) {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The state letter of a process: S, T (stopped), Z … */
export function stateOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.[0] ?? '';
}

/** Waits until something holds; fails by name when it does not within 15 s. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 15_000; !holds(); await delay(10)) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
  }
}
