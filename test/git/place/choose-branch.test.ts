import { expect, test } from 'vitest';
import { chooseBranch } from '../../../src/git/place/choose-branch.ts';
import type { WorkplaceFacts } from '../../../src/git/place/workplace.ts';
import { cleanWorkplace } from '../../helpers/workplace.ts';

const facts = cleanWorkplace;

const withBranches = (
  ...branches: [string, 'same' | 'ahead' | 'behind' | 'diverged', string?][]
): WorkplaceFacts => ({
  ...facts,
  branches: new Map([
    ...facts.branches,
    ...branches.map(([name, relation, worktree]) => [name, { relation, worktree }] as const),
  ]),
});
test.each([
  ['a new one from the default branch', facts, {}, 'plan new'],
  ['any other branch stays', { ...facts, branch: 'feature' }, {}, 'feature'],
  ['no default branch known: stay', { ...facts, defaultBranch: undefined }, {}, 'main'],
  ['asked for, new', facts, { branch: 'x/y' }, 'x/y new'],
  ['asked for, current', facts, { branch: 'main' }, 'main'],
  ['asked for, existing', withBranches(['x', 'diverged']), { branch: 'x' }, 'x'],
  ['asked for, from a feature branch', { ...facts, branch: 'feature' }, { branch: 'x' }, 'x new'],
  ['an existing one beyond HEAD goes on', withBranches(['plan', 'ahead']), {}, 'plan'],
  ['an existing one on HEAD', withBranches(['plan', 'same']), {}, 'plan'],
  ['a merged one is left alone', withBranches(['plan', 'behind']), {}, 'plan-2 new'],
  ['two merged ones', withBranches(['plan', 'behind'], ['plan-2', 'behind']), {}, 'plan-3 new'],
  ['a second one beyond HEAD', withBranches(['plan', 'behind'], ['plan-2', 'ahead']), {}, 'plan-2'],
  ['none with the name of a tag', { ...facts, tags: new Set(['plan', 'x']) }, {}, 'plan-2 new'],
  ['asked for, though a tag has its name', { ...facts, tags: new Set(['x']) }, { branch: 'x' }, 'x new'],
  ['one that went diverged', withBranches(['plan', 'diverged']), {}, 'failure diverged'],
  ['one checked out elsewhere', withBranches(['plan', 'ahead', '/w']), {}, 'failure /w'],
  ['a folder of that name', withBranches(['plan/a', 'behind']), {}, 'failure plan/a'],
  [
    'a branch where a folder must be',
    withBranches(['a', 'behind']),
    { branch: 'a/b' },
    'failure both a branch a/b and a',
  ],
  ['a name that differs in case alone', withBranches(['PLAN', 'behind']), {}, 'failure PLAN'],
  ['one of its own on any branch', { ...facts, branch: 'feature' }, { isApart: true }, 'plan new'],
  [
    'not even one that went diverged',
    withBranches(['plan', 'diverged']),
    { others: new Set(['plan']) },
    'plan-2 new',
  ],
  ['none of another plan', withBranches(['plan', 'ahead']), { others: new Set(['plan']) }, 'plan-2 new'],
  ['asked for, whoever uses it', withBranches(['x', 'ahead']), { branch: 'x', others: new Set(['x']) }, 'x'],
  ['detached', { ...facts, branch: undefined }, {}, 'failure detached'],
] as const)('%s', (_, given, options, expected) => {
  const choose = () => chooseBranch(given, { planBranch: 'plan', ...options });
  const [, says] = expected.split('failure ');
  if (says !== undefined) return expect(choose).toThrow(says);
  expect(choose()).toEqual({ branch: expected.replace(' new', ''), create: expected.endsWith(' new') });
});
