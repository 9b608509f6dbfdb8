// What is asked of a job's run, handed over before a pawl works there.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Wish } from '../../../src/control/request.ts';
import type { FleetRequest } from '../../../src/fleet/queue.ts';
import type { Worker } from '../../../src/start/fleet/run-job.ts';
import { handOver } from '../../../src/start/fleet/work-on-job.ts';
import { eachWorld } from '../../cli/world.ts';
import { fact } from '../../helpers/facts.ts';
import { writeRun } from '../../helpers/write-run.ts';

const world = eachWorld({ git: true });

test('a note waits for the next session; a stop waits until there is a pawl to be stopped', async () => {
  writeRun(path.join(world.cwd, '.git'), {}, fact('plan-read'), fact('run-ended', { finished: false }));
  const wishes: readonly Wish[] = [{ do: 'stop' }, { do: 'steer', text: 'Use the table.', now: false }];
  const answered: (readonly [string, boolean])[] = [];
  const asked = wishes.map(
    (wish): FleetRequest => ({
      ...{ id: wish.do, job: 'j', by: 'Ada', at: new Date(0), reply: undefined },
      wish,
    }),
  );
  const queue = {
    requests: async () => asked,
    answer: async (id: string, { ok }: { ok: boolean }) => void answered.push([id, ok]),
  };
  const worker = { context: world.context(), queue } as unknown as Worker;
  const offer = { id: 'j', attempt: 2, data: {}, troubles: 1, after: null };
  await handOver(worker, [{ offer, root: world.cwd }], true);
  expect(answered).toEqual([['steer', true]]);
});
