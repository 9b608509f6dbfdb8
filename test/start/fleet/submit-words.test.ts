import { expect, test } from 'vitest';
import { type Job, jobSchema } from '../../../src/fleet/job.ts';
import { submitWords } from '../../../src/start/fleet/why-queued.ts';

const job: Job = jobSchema.parse({
  ...{ repo: 'https://h/team/app', base: 'main', branch: 'login', plan: 'docs/login.md', by: 'ann' },
  ...{ planHash: '0'.repeat(64), trustHash: '0'.repeat(64), labels: [], options: {} },
});

test.each<[string, Partial<Job>, number, string]>([
  ['nothing more', {}, 0, ''],
  ['an address of its own', { repoNamed: true }, 0, ' --repo https://h/team/app'],
  ['labels', { labels: ['big', 'gpu'] }, 0, ' --label big --label gpu'],
  ['a branch of its own', { branch: 'login-2' }, 0, ' --branch login-2'],
  ['a priority', {}, 3, ' --priority 3'],
  [
    'options of its run',
    { options: { jobs: 2, maxCost: 1.5, keepGoing: true, push: true, pr: true } },
    0,
    ' --jobs 2 --max-cost 1.5 --keep-going --push --pr',
  ],
])('a job with %s is submitted again as it was', (_, more, priority, words) => {
  expect(submitWords({ ...job, ...more }, priority)).toBe(
    `pawl fleet submit docs/login.md --base main${words}`,
  );
});
