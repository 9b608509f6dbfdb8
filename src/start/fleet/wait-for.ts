// Waits for the end of a submitted job, and reports its result.
import { setTimeout as delay } from 'node:timers/promises';
import { parseDuration } from '../../duration.ts';
import { Failure } from '../../failure.ts';
import { isAway } from '../../fleet/database-error.ts';
import { adviceOf, type FleetJob } from '../../report/status/fleet-view.ts';
import { formatMs } from '../../report/text/figure.ts';
import { type CliContext, print, printNote } from '../context.ts';
import type { Fleet } from './settings.ts';
import { findJob } from './view.ts';

/** The longest wait, in milliseconds; an invalid text throws Failure('usage'). */
export function readMost(text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || ms !== undefined) return ms;
  throw new Failure('usage', `--wait-at-most: “${text}” is not a duration`, {
    hint: 'For example: --wait-at-most 2h',
  });
}

/** How long a job may wait before saying that no worker takes it, in milliseconds. */
const lonelyMs = 60_000;

/** Waits as long as the job is in the queue, even while the database is unreachable. The exit code is the run's. */
export async function waitFor(
  context: CliContext,
  fleet: Fleet,
  { id, json, mostMs }: Readonly<{ id: string; json: boolean; mostMs: number | undefined }>,
): Promise<number> {
  const since = context.now().getTime();
  const told = new Set<string>();
  const tell = (text: string) => {
    if (!told.has(text)) printNote(context, text);
    told.add(text);
  };
  for (;;) {
    const found = await findPatiently(fleet, id, tell);
    if (found === 'gone')
      throw new Failure('preflight', `${id} is no longer in the database: somebody removed it`);
    if (found?.result) {
      const { run, result } = found;
      if (json) print(context, JSON.stringify({ id, run: run ?? null, result }, null, 2));
      else {
        print(context, `${result.kind}: ${result.says}`);
        const advice = adviceOf(found);
        if (advice) print(context, advice);
      }
      return result.exit;
    }
    if (found?.heldBy !== undefined) {
      print(context, `held: ${adviceOf(found)}`);
      return 1;
    }
    if (mostMs !== undefined && context.now().getTime() - since > mostMs)
      throw new Failure('environment', `${id} has not ended after ${formatMs(mostMs)}`, {
        hint: `It stays in the queue: pawl fleet ${id}`,
      });
    if (found?.lack && context.now().getTime() - since > lonelyMs) tell(`For now ${found.lack}.`);
    await delay(1_000, undefined, { signal: context.signal }).catch(() => {});
    if (!context.signal.aborted) continue;
    printNote(context, `It stays in the queue: pawl fleet ${id}`);
    return 130;
  }
}

async function findPatiently(
  fleet: Fleet,
  id: string,
  tell: (text: string) => void,
): Promise<FleetJob | 'gone' | undefined> {
  try {
    return (await findJob(fleet, id)) ?? 'gone';
  } catch (error) {
    if (!isAway(error)) throw error;
    tell(`${(error as Failure).message}; pawl keeps trying, and the job stays in the queue`);
    return undefined;
  }
}
