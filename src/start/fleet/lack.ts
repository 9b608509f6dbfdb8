// What a worker's machine lacks to take plans: room for their clones, or what its sandbox is made with.
import { statfsSync } from 'node:fs';
import type { Config } from '../../config/schema.ts';
import { makeFolder } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import type { CliContext } from '../context.ts';
import { judgeSandbox } from '../judge-sandbox.ts';

/** The look at one machine. `lack`: why it takes no plans, in words; `doubt`: something did not work here. */
export type Look = Readonly<{ lack(): Promise<string | undefined>; doubt(): void }>;

const sandboxMs = 30_000;

/** Failure('environment') where the worker's sandbox cannot be made; it is tried again every 30 s, and after each doubt. `jobs`: the folder of the clones. */
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
  return {
    doubt: () => {
      judgedAt = Number.NEGATIVE_INFINITY;
    },
    lack: async () => {
      if (performance.now() - judgedAt > sandboxMs) {
        judgedAt = performance.now();
        says = await judge().then(() => undefined, describe);
      }
      return lackOfRoom(jobs, config.fleet.minDiskGb) ?? says;
    },
  };
}

function lackOfRoom(folder: string, minGb: number): string | undefined {
  try {
    makeFolder(folder, 0o700);
    const { bavail, bsize } = statfsSync(folder);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= minGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, fleet.minDiskGb is ${minGb}; free some: what clones are still in ${folder} hold commits that no remote has`;
  } catch (error) {
    return describe(error);
  }
}

/** What is begun goes on; a folder or an engine may come back. */
function describe(error: unknown): string {
  return `no plans are taken: ${asFailure(error)?.message ?? (error as Error).message}`;
}
