// One `pawl run` under a stop-watch: its output read as a pipe would be, its memory and processor time looked at while
// it lives, its journal read at its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fact, FactOf, Stamped } from '../../src/event.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { claudeEnvironment, makeHome } from '../helpers/claude-home.ts';
import { ofType } from '../helpers/facts.ts';
import { makeRepo, type Repo } from '../helpers/temp-repo.ts';

/** A repository with a plan and the environment pawl is started in. */
export type Place = AsyncDisposable & Readonly<{ repo: Repo; env: Readonly<Record<string, string>> }>;

/** How a run went. */
export type TimedRun = Readonly<{
  exit: number | null;
  /** Instants of the wall clock, ms. */
  startedMs: number;
  endedMs: number;
  /** Resident memory of pawl, MB: the most there ever was, and what it was each 50 ms. */
  peakMb: number;
  memoryMb: readonly number[];
  /** Processor time up to 50 ms before its end, ms: pawl's own, and that of its ended children. */
  ownCpuMs: number;
  childCpuMs: number;
  outputBytes: number;
  stderr: string;
  facts: readonly Stamped<Fact>[];
}>;

/** Makes a place with so many files of 20 lines in folders of 50. */
export async function makePlace(
  options: Readonly<{ plan: string; agent: string; files: number; env?: Readonly<Record<string, string>> }>,
): Promise<Place> {
  const stack = new AsyncDisposableStack();
  const names = Array.from(
    { length: options.files },
    (_, at) => `src/part-${Math.floor(at / 50)}/file-${at}.ts`,
  );
  const files = Object.fromEntries(
    names.map((name, at) => [name, `export const x${at} = ${at};\n`.repeat(20)]),
  );
  const repo = stack.use(await makeRepo({ files, plan: options.plan }));
  const home = stack.use(await makeHome());
  const env = {
    ...claudeEnvironment({ home: home.path, apiUrl: 'http://127.0.0.1:9', auth: 'key' }),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    PAWL_AGENT_CLAUDE_COMMAND: options.agent,
    PAWL_ARCHIVE: 'false',
    PAWL_REPLAN: 'never',
    PAWL_REVIEW_STAGES: 'none',
    ...options.env,
  };
  return { repo, env, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Starts `pawl run` on the place's plan and waits for its end; one that is not done is an error. */
export async function runTimed(
  command: string,
  place: Place,
  args: readonly string[] = [],
): Promise<TimedRun> {
  const startedMs = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [command, 'run', 'docs/plans/plan.md', '--trust', ...args], {
    cwd: place.repo.path,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched = watch(child);
  const said = listen(child);
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const endedMs = performance.timeOrigin + performance.now();
  const { outputBytes, stderr, tail } = said();
  if (exit !== 0) throw new Error(`pawl run ended with ${exit}\n${stderr}\n${tail}`);
  return { exit, startedMs, endedMs, ...watched(), outputBytes, stderr, facts: await readFacts(place) };
}

/** The facts of one type, in order. */
export function factsOf<T extends Fact['type']>(
  { facts }: Pick<TimedRun, 'facts'>,
  type: T,
): readonly Stamped<FactOf<T>>[] {
  return ofType(facts, type);
}

function listen(child: ChildProcess): () => { outputBytes: number; stderr: string; tail: string } {
  let [outputBytes, stderr, tail] = [0, '', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    tail = (tail + chunk.toString('utf8')).slice(-4_000);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return () => ({ outputBytes, stderr, tail });
}

type Watched = Pick<TimedRun, 'peakMb' | 'memoryMb' | 'ownCpuMs' | 'childCpuMs'>;

function watch({ pid }: ChildProcess): () => Watched {
  let last: Watched = { peakMb: 0, memoryMb: [], ownCpuMs: 0, childCpuMs: 0 };
  const timer = setInterval(() => void look(), 50);
  const look = async () => {
    const [status, stat] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const mbOf = (field: string) =>
      Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(status ?? '')?.[1]) / 1024;
    if (!mbOf('VmHWM')) return;
    // From the state on, fields 3 and later of proc(5); ticks are 10 ms.
    const fields = (stat ?? '')
      .slice((stat ?? '').lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = (...at: readonly number[]) =>
      at.reduce((sum, field) => sum + (fields[field - 3] ?? 0), 0) * 10;
    last = {
      peakMb: mbOf('VmHWM'),
      memoryMb: [...last.memoryMb, mbOf('VmRSS')],
      ownCpuMs: ticks(14, 15),
      childCpuMs: ticks(16, 17),
    };
  };
  return () => {
    clearInterval(timer);
    return last;
  };
}

async function readFacts({ repo }: Place): Promise<readonly Stamped<Fact>[]> {
  const runs = path.join(repo.path, '.git/pawl/runs');
  const name = (await readdir(runs)).sort().at(-1) ?? '';
  return readJournal(path.join(runs, name));
}
