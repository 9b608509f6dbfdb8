// What a worker's machine lacks to take plans: space, or what its sandbox needs.
import { statfsSync } from 'node:fs';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { makeFolder } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import { judgeSandbox } from '../agent-start.ts';
import type { CliContext } from '../context.ts';

/** `lack`: why it takes no plans; `doubt`: something did not work here. */
export type MachineLook = Readonly<{
  lack(): Promise<string | undefined>;
  doubt(): void;
}>;

const sandboxMs = 30_000;

/** Throws Failure('environment') if no sandbox can be made; retries every 30 s and after doubts. `jobs`: the clones. */
export async function lookAtMachine(
  context: CliContext,
  { config, jobs }: Readonly<{ config: Config; jobs: string }>,
): Promise<MachineLook> {
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
      return lackOfRoom(jobs) ?? says;
    },
  };
}

function lackOfRoom(folder: string): string | undefined {
  try {
    makeFolder(folder, 0o700);
    const { bavail, bsize } = statfsSync(folder);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= fixed.minDiskGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, and it takes ${fixed.minDiskGb}; free some: the clones still in ${folder} hold commits that no remote has`;
  } catch (error) {
    return describe(error);
  }
}

/** What has begun continues; a folder or an engine may come back. */
function describe(error: unknown): string {
  return `no plans are taken: ${asFailure(error)?.message ?? (error as Error).message}`;
}
