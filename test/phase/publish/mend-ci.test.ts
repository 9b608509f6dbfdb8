// Whether a commit defines jobs that may begin late.
import { expect, test } from 'vitest';
import { definesJobs } from '../../../src/phase/publish/mend-ci.ts';
import { openTemp } from '../../git/open.ts';

const github = '.github/workflows/ci.yml';

test.each([
  ['nothing', {}, [false, false]],
  ['a workflow', { [github]: 'on: push\njobs:\n  a:\n    runs-on: x\n' }, [true, false]],
  ['a workflow that calls another', { [github]: 'jobs: { a: { "uses": ./b.yml } }\n' }, [true, false]],
  ['a workflow without a job', { [github]: 'on: push\njobs:\n  # runs-on: x\n' }, [false, false]],
  ['a text beside workflows', { '.github/workflows/README.md': 'None yet.\n' }, [false, false]],
  ['a script', { '.gitlab-ci.yml': 'test:\n  script:\n    - make\n' }, [false, true]],
  ['jobs from elsewhere', { '.gitlab-ci.yml': 'include: jobs.yml\n' }, [false, true]],
  [
    'stages without a job',
    { '.gitlab-ci.yml': 'stages: [a]\ndefault:\n  before_script: x\n' },
    [false, false],
  ],
])('%s', async (_, files, expected) => {
  await using made = await openTemp({ files });
  const head = await made.oid();
  const nouns = ['pull request', 'merge request'] as const;
  const found = nouns.map((noun) => definesJobs({ env: {}, repo: made.repo }, { noun }, head));
  expect(await Promise.all(found)).toEqual(expected);
  const inJob = { env: { GITHUB_ACTIONS: 'true' }, repo: made.repo };
  expect(await definesJobs(inJob, { noun: 'pull request' }, head)).toBe(false);
});
