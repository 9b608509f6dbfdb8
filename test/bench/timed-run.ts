// One `pawl run` under a stop-watch: its output read as a pipe would be, its memory and processor time looked at while
// it lives, its journal read at its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Fact, Stamped } from '../../src/event.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { makeScene, type Scene } from '../helpers/pawl.ts';
import { runFolder } from '../helpers/story.ts';

/** How a run went. */
export type TimedRun = Readonly<{
  /** Instant of the wall clock, ms. */
  startedMs: number;
  /** Resident memory of pawl, MB: the most there ever was, and what it was each 50 ms. */
  peakMb: number;
  memoryMb: readonly number[];
  /** Processor time up to 50 ms before its end, ms: pawl's own, and that of its ended children. */
  ownCpuMs: number;
  childCpuMs: number;
  outputBytes: number;
  events: readonly Stamped<Fact>[];
}>;

/** Makes a place with so many files of 20 lines in folders of 50, and pawl as it is by default. */
export function makePlace(
  wanted: Readonly<{ plan: string; agent: string; files: number; env?: Readonly<Record<string, string>> }>,
): Promise<Scene> {
  const { plan, agent, files, env } = wanted;
  const all = Array.from({ length: files }, (_, at) => [
    `src/part-${Math.floor(at / 50)}/file-${at}.ts`,
    `export const x${at} = ${at};\n`.repeat(20),
  ]);
  return makeScene({
    plan,
    files: Object.fromEntries(all),
    turns: [],
    env: {
      PAWL_AGENT_CLAUDE_COMMAND: agent,
      PAWL_ARCHIVE: 'false',
      PAWL_VERIFY: '',
      PAWL_PROVE: '',
      ...env,
    },
  });
}

/** Starts `pawl run` on the place's plan and waits for its end; one that is not done is an error. */
export async function runTimed(
  command: string,
  place: Scene,
  args: readonly string[] = [],
): Promise<TimedRun> {
  const startedMs = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [command, 'run', 'docs/plans/plan.md', '--trust', ...args], {
    cwd: place.repo.path,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched = watch(child);
  let [outputBytes, stderr] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const [exit] = await once(child, 'close');
  if (exit !== 0) throw new Error(`pawl run ended with ${exit}\n${stderr}`);
  return { startedMs, ...watched(), outputBytes, events: readJournal(await runFolder(place)) };
}

type Watched = Pick<TimedRun, 'peakMb' | 'memoryMb' | 'ownCpuMs' | 'childCpuMs'>;

function watch({ pid }: ChildProcess): () => Watched {
  let last: Watched = { peakMb: 0, memoryMb: [], ownCpuMs: 0, childCpuMs: 0 };
  const timer = setInterval(() => void look(), 50);
  const look = async () => {
    const [status = '', stat = ''] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const mbOf = (field: string) => Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024;
    if (!mbOf('VmHWM')) return;
    // Behind the name, fields 3 and later of proc(5); ticks are 10 ms.
    const [own = 0, ofSystem = 0, ...ofChildren] =
      stat.split(') ').at(-1)?.split(' ').slice(11, 15).map(Number) ?? [];
    last = {
      peakMb: mbOf('VmHWM'),
      memoryMb: [...last.memoryMb, mbOf('VmRSS')],
      ownCpuMs: 10 * (own + ofSystem),
      childCpuMs: 10 * ofChildren.reduce((sum, ticks) => sum + ticks, 0),
    };
  };
  return () => {
    clearInterval(timer);
    return last;
  };
}
