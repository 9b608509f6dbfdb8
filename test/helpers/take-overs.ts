// What a fleet's jobs waited for between the death of their worker and their take-over, in a test: looked at twice a second.
import { openDatabase } from '../../src/fleet/database.ts';
import type { FleetWorker } from './fleet.ts';

/** What a job waited for. `away`: database or remote; `unseen`: its worker was not taken for gone yet; `noSlot`: no worker had a free one; `late`: one had; `paused`: its next worker gave it back, as the remote was away; `struck`: its next worker was struck, too; `making`: the last one lays the run out. */
export type Waited = 'away' | 'unseen' | 'noSlot' | 'late' | 'paused' | 'struck' | 'making';

type Look = Readonly<{
  at: number;
  isAway: boolean;
  free: number;
  jobs: ReadonlyMap<string, Readonly<{ isActive: boolean; isPaused: boolean; attempt: number }>>;
}>;

/** Begins to look. */
export function watchTakeOvers({
  url,
  living,
  isRemoteAway,
}: Readonly<{ url: string; living: () => readonly FleetWorker[]; isRemoteAway: () => boolean }>) {
  const looks: Look[] = [];
  const everyMs = 500;
  let isOver = false;
  const look = async () => {
    await using database = await openDatabase(url, { connections: 1 });
    while (!isOver) {
      const at = Date.now();
      const rows = await database
        .query<{ id: string; isActive: boolean; isPaused: boolean; attempt: number }>(
          'select id, beat is not null as "isActive", due > now() as "isPaused", attempt from pawl.job',
        )
        .catch(() => undefined);
      const ready = living().filter((worker) => worker.said().includes(' takes plans from '));
      const free = ready.reduce((sum, worker) => sum + 2 - openOf(worker.said()).size, 0);
      const jobs = (rows ?? []).map(({ id, ...known }) => [id, known] as const);
      looks.push({ at, isAway: rows === undefined || isRemoteAway(), free, jobs: new Map(jobs) });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const looking = look();
  return {
    /** Seconds of each between two instants. */
    waitedOf: (job: string, from: number, to: number): Readonly<Record<Waited, number>> => {
      const waited = { away: 0, unseen: 0, noSlot: 0, late: 0, paused: 0, struck: 0, making: 0 };
      const within = looks.filter(({ at }) => at >= from - everyMs && at <= to);
      const attempts = within.flatMap(({ jobs }) => jobs.get(job)?.attempt ?? []);
      for (const [index, { at, isAway, free, jobs }] of within.entries()) {
        const s = (Math.min(to, within[index + 1]?.at ?? to) - Math.max(from, at)) / 1_000;
        const known = jobs.get(job);
        const isQueued = known && !known.isActive;
        if (isAway) waited.away += s;
        else if (isQueued) waited[known.isPaused ? 'paused' : free > 0 ? 'late' : 'noSlot'] += s;
        else if (known?.attempt === attempts[0]) waited.unseen += s;
        else waited[known?.attempt === attempts.at(-1) ? 'making' : 'struck'] += s;
      }
      for (const each of Object.keys(waited) as Waited[]) waited[each] = Math.round(waited[each] * 10) / 10;
      return waited;
    },
    end: async () => {
      isOver = true;
      await looking;
    },
  };
}

/** Jobs that a worker has begun and not ended, by what it said. */
function openOf(said: string): ReadonlySet<string> {
  const open = new Set<string>();
  for (const line of said.split('\n')) {
    const id = /^([0-9a-f]{8}) .*?: /.exec(line)?.[1];
    if (id === undefined) continue;
    if (/: (?:begun|offered again.*)$/.test(line)) open.add(id);
    else open.delete(id);
  }
  return open;
}
