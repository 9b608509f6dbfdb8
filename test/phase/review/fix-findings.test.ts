// What of a fix's commit is doubtful, and what a run of a proof says.
import { expect, test } from 'vitest';
import type { CheckRun } from '../../../src/check/check-run.ts';
import type { ChangedFile } from '../../../src/git/tree/raw-diff.ts';
import type { FindingState } from '../../../src/journal/fold-review.ts';
import { judgeDoubts } from '../../../src/phase/review/fix-findings.ts';
import { judgeProof } from '../../../src/phase/review/prove-findings.ts';
import { complaint } from '../../helpers/review.ts';

const finding = { id: 'F1', ...complaint({ file: 'src/auth.ts' }) } as FindingState;
const touched: ChangedFile = { file: 'src/auth.ts', status: 'modified', insertions: 1, deletions: 1 };
test.each<[string, Partial<ChangedFile>, readonly RegExp[]]>([
  ['only where it should be', touched, []],
  ['elsewhere', { file: 'src/b.ts' }, [/src\/auth.ts was not touched/]],
  ['moved from there', { file: 'src/b.ts', from: 'src/auth.ts', status: 'renamed' }, []],
  ['the file is gone', { status: 'deleted' }, [/src\/auth.ts was removed/]],
  ['a new test beside it', { file: 'test/a.test.ts', status: 'added' }, [/not touched/]],
  ['a test grew', { file: 'test/a.test.ts', deletions: 0 }, [/not touched/]],
  ['a test was bent', { file: 'test/a.test.ts' }, [/lines of the test test\/a.test.ts/, /not touched/]],
  ['how tests run', { file: 'vitest.config.ts' }, [/decides how checks run/, /not touched/]],
])('a fix: %s', (_, change, wanted) => {
  const doubts = judgeDoubts([finding], [{ ...touched, ...change }]);
  expect(doubts).toHaveLength(wanted.length);
  for (const [at, text] of wanted.entries()) expect(doubts[at]?.text).toMatch(text);
});

const red = { result: 'red', exitCode: 1, output: 'AssertionError: 1 != 2' } as CheckRun;
test.each<[string, Partial<CheckRun>, string]>([
  ['red', {}, 'confirmed'],
  ['green', { result: 'green' }, 'refuted'],
  ['no such program', { result: 'could-not-run' }, 'unproven'],
  ['too slow', { result: 'timed-out' }, 'unproven'],
  ['no test ran', { tests: { passed: 0, failed: 0, skipped: 3 } }, 'unproven'],
  ['one test failed', { tests: { passed: 0, failed: 1, skipped: 0 } }, 'confirmed'],
  ['a test that does not load', { output: 'SyntaxError: Unexpected token' }, 'unproven'],
])('a proof: %s', (_, change, result) => {
  expect(judgeProof({ ...red, ...change }, { isTest: true }).result).toBe(result);
});
