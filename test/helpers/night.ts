// A night of pawl's: a repository with a plan of letters, quick clocks, and what a test asks of the processes and the
// history that are left. It starts nothing itself; `makeScene` starts pawl.
import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { type Built, builtFile } from './built-pawl.ts';
import { honest, letterPlan } from './letters.ts';
import { type Ended, makeScene, type Running, type Scene, type SceneOptions } from './pawl.ts';

/** Preloads `kill-at.ts` into pawl. */
export function killAt(effect: string): Readonly<Record<string, string>> {
  return { ...preload('kill-at'), KILL_PAWL_AT: effect };
}

/** Preloads `fault-at.ts` into pawl: the shell command is run before the effect. */
export function faultAt(effect: string, command: string): Readonly<Record<string, string>> {
  return { ...preload('fault-at'), FAULT_AT: effect, FAULT: command };
}

/** Preloads `fault-at.ts` into pawl: its clock goes wrong by so many milliseconds from the effect on, or from its start. */
export function shiftClock(ms: number, effect = ''): Readonly<Record<string, string>> {
  return { ...preload('fault-at'), SHIFT_CLOCK_AT: `${effect}=${ms}` };
}

/** Has each Node that is started load a preload; only pawl heeds it. */
export function preload(name: Built): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${builtFile(name)}` };
}

/** Clocks and pauses of seconds, nothing but the tasks. */
const quick: Readonly<Record<string, string>> = {
  PAWL_BASELINE: 'skip',
  PAWL_ARCHIVE: 'false',
  PAWL_TASK_CORRECTIONS: '0',
  FIXED_BACKOFF_MS: '1000',
  SHORT_CLOCKS_MS: '{"interruptMs":2000,"termMs":2000,"drainMs":3000}',
};

/** A scene in which the same command can be given again without what kills it. */
export type Night = Scene & Readonly<{ again(...args: string[]): Promise<Ended> }>;

/** A scene with a plan of letters, by default `a` and `b`, and an agent that writes these at once. */
export async function makeNight(options: Partial<SceneOptions> = {}): Promise<Night> {
  const scene = await makeScene({
    plan: letterPlan('a', 'b'),
    turns: honest('a', 'b', 'c'),
    ...options,
    env: { ...quick, ...options.env },
  });
  const again = (...args: string[]) => {
    for (const name of ['KILL_PAWL_AT', 'FAULT_AT', 'SHIFT_CLOCK_AT']) delete scene.env[name];
    return scene.run(...args);
  };
  return { ...scene, again };
}

/** Whose processes they are. */
type Owner = Readonly<{ repo: Readonly<{ path: string }>; home: string }>;

/** Command lines of the scene's processes: all that have its home in their environment or stand in its folders. */
export function processesOf(scene: Owner): readonly string[] {
  return ownProcesses(scene).map(({ command }) => command);
}

/** Process ids of the same, as they are now. */
export function pidsOf(scene: Owner): readonly number[] {
  return ownProcesses(scene).map(({ pid }) => pid);
}

function ownProcesses({ repo, home }: Owner): readonly Readonly<{ pid: number; command: string }>[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
        const entries = read('environ').split('\0');
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        const isOurs = entries.includes(`HOME=${home}`) || cwd.startsWith(repo.path);
        return isOurs ? [{ pid: Number(pid), command: read('cmdline').replaceAll('\0', ' ').trim() }] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until nothing of the scene runs; fails after some seconds, naming what does. */
export async function expectNoProcess(scene: Scene): Promise<void> {
  await vi.waitFor(() => expect(processesOf(scene)).toEqual([]), { timeout: 60_000, interval: 50 });
}

/** What a run leaves for good: subjects of its commits, the tree of HEAD, the plan's boxes, what is not committed. */
export async function resultOf({ repo }: Scene) {
  const boxes = (await repo.git('grep', '-h', '-o', '-e', '- \\[.\\]', 'HEAD', '--', 'docs')).split('\n');
  return {
    log: await repo.log(),
    files: (await repo.git('ls-tree', '-r', '--name-only', 'HEAD')).split('\n'),
    boxes,
    status: await repo.git('status', '--porcelain'),
    branch: await repo.git('branch', '--show-current'),
  };
}

/** Ends of rounds and of tasks in order, as words. */
export function storyOf(ended: Pick<Ended, 'events'>): readonly string[] {
  return ended.events.flatMap((event) => {
    switch (event.type) {
      case 'round-ended':
        return [`${event.task} ${event.verdict}${event.counts ? ' counts' : ''}`];
      case 'task-closed':
        return [`${event.task} ${event.proof}`];
      case 'session-ended':
        return [`${event.outcome}`];
      case 'waiting':
        return [`waiting ${event.why}`];
      case 'waited':
        return ['waited'];
      default:
        return [];
    }
  });
}

/** Waits for a file that a session writes, or until it is gone; one of text also for its content, since a shell makes the file before it fills it. */
export async function untilFile({ repo }: Scene, file: string, isWanted = true): Promise<void> {
  const isThere = async () => (file.endsWith('.txt') ? (await repo.read(file)) !== '' : repo.exists(file));
  await expect.poll(() => isThere().catch(() => false), { timeout: 240_000, interval: 20 }).toBe(isWanted);
}

/** The run, once a session, or a check, has written the file. */
export async function startTo(scene: Scene, file: string, ...args: string[]): Promise<Running> {
  const running = scene.startRun(...args);
  await untilFile(scene, file);
  return running;
}

/** Starts the run and ends it by a signal as soon as a session, or a check, has written the file. */
export async function endAt(scene: Scene, file: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<Ended> {
  const running = await startTo(scene, file);
  running.child.kill(signal);
  return running.ended;
}

/** A person acts in the scene's repository; returns what was printed. */
export async function act({ repo, env }: Scene, command: string, cwd = repo.path): Promise<string> {
  const all = { ...process.env, ...env };
  return (await promisify(execFile)('sh', ['-c', command], { cwd, env: all })).stdout;
}

/** A person acts at the moment that a check or hook waits in, from `.git/reached` to `.git/go`. */
export async function actBeside(scene: Scene, command: string): Promise<Ended> {
  const running = scene.startRun();
  const person = act(
    scene,
    `while [ -d .git ] && [ ! -e .git/reached ]; do sleep 0.05; done; ${command}; touch .git/go`,
  );
  await Promise.race([person, running.ended]);
  return running.ended;
}

/** As `endAt`, once pawl has heard of the tool call that wrote the file: the agent may be ahead of what is read of it. */
export async function endInCall(scene: Scene, file: string): Promise<Ended> {
  const running = await startTo(scene, file);
  await running.until('session-ready');
  await vi.waitFor(() => expect(readStreams(scene)).toContain('"tool_use"'), { timeout: 240_000 });
  running.child.kill('SIGKILL');
  return running.ended;
}

/** All that pawl has recorded of the agents' streams. */
export function readStreams({ repo }: Scene): string {
  const files = globSync(path.join(repo.path, '.git/pawl/runs/*/sessions/*.ndjson'));
  return files.map((file) => readFileSync(file, 'utf8')).join('');
}
