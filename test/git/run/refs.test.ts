import { expect, test } from 'vitest';
import { nextRefs, parseHead, pawlRef } from '../../../src/git/run/refs.ts';

const oid = 'a'.repeat(40);
test('HEAD as its file says', () => {
  expect(parseHead('ref: refs/heads/a/b\n')).toEqual({ branch: 'a/b', detached: undefined });
  expect(parseHead(`${oid}\n`)).toEqual({ branch: undefined, detached: oid });
  expect(parseHead('ref: refs/tags/x\n')).toEqual({ branch: undefined, detached: undefined });
  expect(parseHead('root:x:0:0')).toEqual({ branch: undefined, detached: undefined });
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
