// What a worker's machine lacks to take plans: space for their clones, what its sandbox needs, or room in the usage window
// of its login.
import { statfsSync } from 'node:fs';
import type { Config } from '../../config/schema.ts';
import { makeFolder } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import type { RunState, SeenLimit } from '../../journal/state.ts';
import { formatTime } from '../../report/text/figure.ts';
import { findFullWindow } from '../../work/wait/wait-plan.ts';
import type { CliContext } from '../context.ts';
import { judgeSandbox } from '../judge-sandbox.ts';

/**
 * Examines one machine. `lack`: why it takes no plans, in words; `doubt`: something did not work here; `see`: the usage
 * windows as a run of the machine sees them.
 */
export type Look = Readonly<{
  lack(): Promise<string | undefined>;
  doubt(): void;
  see(windows: RunState['limits']): void;
}>;

const sandboxMs = 30_000;

/**
 * Throws Failure('environment') if the worker's sandbox cannot be made; that is tried again every 30 s, and after each
 * doubt. `jobs`: the folder of the clones.
 */
export async function lookAtMachine(
  context: CliContext,
  { config, jobs }: Readonly<{ config: Config; jobs: string }>,
): Promise<Look> {
  makeFolder(jobs, 0o700);
  const judge = async () => {
    if (config.sandbox.kind !== 'none') await judgeSandbox(context, config, jobs);
  };
  await judge();
  let judgedAt = performance.now();
  let says: string | undefined;
  const seen = new Map<string, SeenLimit>();
  return {
    see: (windows) => {
      // A run that was taken up has seen older ones, elsewhere.
      for (const [name, window] of windows)
        if (window.at > (seen.get(name)?.at ?? '')) seen.set(name, window);
    },
    doubt: () => {
      judgedAt = Number.NEGATIVE_INFINITY;
    },
    lack: async () => {
      if (performance.now() - judgedAt > sandboxMs) {
        judgedAt = performance.now();
        says = await judge().then(() => undefined, describe);
      }
      return (
        lackOfRoom(jobs, config.fleet.minDiskGb) ?? says ?? fullWindow([...seen.values()], config, context)
      );
    },
  };
}

/** By `limits.startBelow`: the plan would only wait here, while somebody else has room. */
function fullWindow(
  seen: readonly SeenLimit[],
  { agent: { name }, limits }: Config,
  context: CliContext,
): string | undefined {
  const now = context.now().getTime();
  // A rejection does not always say how much is used.
  const own = seen
    .filter(({ agent }) => agent === name)
    .map((window) => (window.status === 'rejected' ? { ...window, utilization: 1 } : window));
  const full = findFullWindow(own, { now, limits });
  return full && `no plans are taken until ${formatTime(full.until, now)}: ${full.text}`;
}

function lackOfRoom(folder: string, minGb: number): string | undefined {
  try {
    makeFolder(folder, 0o700);
    const { bavail, bsize } = statfsSync(folder);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= minGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, fleet.minDiskGb is ${minGb}; free some: the clones still in ${folder} hold commits that no remote has`;
  } catch (error) {
    return describe(error);
  }
}

/** What has begun continues; a folder or an engine may come back. */
function describe(error: unknown): string {
  return `no plans are taken: ${asFailure(error)?.message ?? (error as Error).message}`;
}
