// A place where a run may start, as the looks at it find it: what tests change one fact of.
import type { WorkplaceFacts } from '../../src/git/place/workplace.ts';

/** On a clean default branch, with nothing beside. */
export const cleanWorkplace: WorkplaceFacts = {
  root: '/r',
  head: 'H',
  branch: 'main',
  identity: 'Test <t@example.invalid>',
  operation: undefined,
  dirt: [],
  untracked: [],
  planChanged: false,
  planIgnored: false,
  defaultBranch: 'main',
  branches: new Map([['main', { relation: 'same', worktree: undefined }]]),
  tags: new Set(),
  warnings: [],
};
