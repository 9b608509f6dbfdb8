import { expect, test } from 'vitest';
import { type Job, jobSchema } from '../../../src/fleet/job.ts';
import { whyQueued } from '../../../src/start/fleet/why-queued.ts';

const job: Job = jobSchema.parse({
  ...{ repo: 'https://h/team/app', base: 'main', branch: 'login', plan: 'login.md', by: 'ann' },
  ...{ planHash: '0'.repeat(64), trustHash: '0'.repeat(64), labels: [], options: {} },
});
const box = {
  ...{ name: 'box', repos: ['https://h/team/*'], labels: [] as string[], slots: 2, busy: 0 },
  ...{ says: '', version: '1', ageMs: 0 },
};
const disk = 'no plans are taken: 0.1 GB are free';
const active = [{ id: '3f2a91c0-1', job }];

test.each<[string, Job, Parameters<typeof whyQueued>[1], Parameters<typeof whyQueued>[2], object]>([
  ['nobody', job, [], [], { lack: 'no worker is running: `pawl fleet work` starts one' }],
  ['a dead worker', job, [{ ...box, ageMs: 61_000 }], [], { lack: expect.stringContaining('is running') }],
  [
    'a worker of other repositories',
    job,
    [{ ...box, repos: ['https://h/other/*'] }],
    [],
    { lack: 'no running worker allows h/team/app (fleet.repos)' },
  ],
  [
    'a worker without its label',
    { ...job, labels: ['gpu'] },
    [box],
    [],
    { lack: 'no worker that allows its repository has the label gpu' },
  ],
  [
    'a worker without its labels',
    { ...job, labels: ['big', 'gpu'] },
    [{ ...box, labels: ['gpu'] }],
    [],
    { lack: 'no worker that allows its repository has the labels big, gpu' },
  ],
  [
    'a worker that can take none',
    job,
    [{ ...box, says: disk }],
    [],
    { lack: `box would take it, but ${disk}` },
  ],
  ['one of two that can take none', job, [{ ...box, says: disk }, box], [], {}],
  ['a free worker', job, [box], [], {}],
  ['busy workers', job, [{ ...box, busy: 2 }], [], { waits: 'all workers that take it are busy' }],
  [
    'another of its branch before it',
    job,
    [box],
    active,
    { waits: '3f2a91c0 is running, and plans on main run one after another' },
  ],
  [
    'another of its branch that asks for other labels',
    { ...job, labels: ['gpu'] },
    [{ ...box, labels: ['gpu'] }],
    active,
    {},
  ],
  ['another of another branch before it', { ...job, base: 'next' }, [box], active, {}],
])('a job in the queue, with %s, says why nobody begins', (_, asked, workers, at, wanted) => {
  expect(whyQueued(asked, workers, at)).toEqual(wanted);
});
