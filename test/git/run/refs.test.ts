import { describe, expect, test } from 'vitest';
import { findMoves, judgeHead, nextRefs, parseHead, parseRefs, pawlRef } from '../../../src/git/run/refs.ts';

const oid = 'a'.repeat(40);
const facts = {
  start: 'S',
  runBranch: 'run',
  tip: 'S',
  head: 'S',
  branch: 'run',
  descends: false,
  operation: undefined,
} as const;

describe('judgeHead', () => {
  test.each([
    ['nothing happened', {}, 'same'],
    ['another branch on the same commit', { branch: 'x' }, 'back'],
    ['detached on the same commit', { branch: undefined }, 'back'],
    ['the run branch deleted under HEAD', { head: undefined, tip: undefined }, 'back'],
    ['commits on the run branch', { head: 'C', tip: 'C', descends: true }, 'absorb'],
    ['commits on another branch', { head: 'C', branch: 'x', descends: true }, 'absorb'],
    ['commits on a detached HEAD', { head: 'C', branch: undefined, descends: true }, 'absorb'],
    ['reset below the start', { head: 'B', tip: 'B' }, 'restore rewrote-history'],
    ['an older branch checked out', { head: 'B', branch: 'main' }, 'restore switched-branch'],
    ['an unborn branch', { head: undefined, branch: 'orphan' }, 'restore switched-branch'],
    ['a merge in progress', { operation: 'merge' }, 'restore merge-in-progress'],
    ['a rebase, descending', { operation: 'rebase', head: 'C', descends: true }, 'restore merge-in-progress'],
  ] as const)('%s', (_, over, expected) => {
    const judged = judgeHead({ ...facts, ...over });
    expect(judged.kind === 'restore' ? `restore ${judged.act}` : judged.kind).toBe(expected);
    if (judged.kind === 'restore') expect(judged.red).not.toBe('');
  });
});

test('HEAD as its file says', () => {
  expect(parseHead('ref: refs/heads/a/b\n')).toEqual({ branch: 'a/b', detached: undefined });
  expect(parseHead(`${oid}\n`)).toEqual({ branch: undefined, detached: oid });
  expect(parseHead('ref: refs/tags/x\n')).toEqual({ branch: undefined, detached: undefined });
  expect(parseHead('root:x:0:0')).toEqual({ branch: undefined, detached: undefined });
});

test('remotes are no refs of ours, pawl has its own', () => {
  const text = `${oid} refs/heads/a\n${oid} refs/remotes/o/a\n${oid} refs/pawl/r/rescue\n${oid} refs/stash\n`;
  const { refs, own } = parseRefs(text);
  expect([...refs.keys()]).toEqual(['refs/heads/a', 'refs/stash']);
  expect([...own.keys()]).toEqual(['refs/pawl/r/rescue']);
});

test('moves are created, deleted, moved; the run branch, the stash and bisect are told elsewhere', () => {
  const before = new Map([
    ['refs/heads/run', '1'],
    ['refs/heads/gone', '1'],
    ['refs/heads/moved', '1'],
    ['refs/tags/same', '1'],
  ]);
  const now = new Map([
    ['refs/heads/run', '2'],
    ['refs/heads/moved', '2'],
    ['refs/heads/new', '2'],
    ['refs/tags/same', '1'],
    ['refs/stash', '3'],
    ['refs/bisect/bad', '3'],
  ]);
  expect(findMoves(before, now, 'run').map(({ ref, kind }) => `${kind} ${ref}`)).toEqual([
    'deleted refs/heads/gone',
    'moved refs/heads/moved',
    'created refs/heads/new',
  ]);
});

test('names of pawl’s own are valid and count on', () => {
  expect(pawlRef('2026 a..b~c.lock', 'x')).toBe('refs/pawl/2026-a-b-c-/x');
  expect(pawlRef('', 'x')).toBe('refs/pawl/-/x');
  const next = nextRefs(
    new Map([
      [pawlRef('r', 'lost/007'), '1'],
      [pawlRef('q', 'lost/090'), '1'],
    ]),
    'r',
    'lost',
  );
  expect([next(), next()]).toEqual(['refs/pawl/r/lost/008', 'refs/pawl/r/lost/009']);
});
