// Closing lines of runners, as they were seen to print them: passed, failed, skipped.
import { expect, test } from 'vitest';
import { readTestCounts } from '../../src/check/test-counts.ts';

type Row = readonly [runner: string, output: string, counts: readonly [number, number, number] | undefined];

const rows: readonly Row[] = [
  ['pytest', '========= 1 passed, 1 skipped in 3.15s =========', [1, 0, 1]],
  ['pytest -q', '.s    [100%]\n1 passed, 1 skipped in 2.51s\n', [1, 0, 1]],
  ['pytest, red', '==== 1 failed, 2 passed, 1 xfailed, 3 warnings, 1 error in 0.41s ====', [2, 2, 1]],
  ['pytest, all deselected', '2 deselected in 2.60s', [0, 0, 0]],
  ['pytest, nothing collected', '===== no tests ran in 0.01s =====', [0, 0, 0]],
  ['pytest, an hour', '== 12 passed in 3661.20s (1:01:01) ==', [12, 0, 0]],
  ['unittest', 'Ran 2 tests in 0.000s\n\nOK (skipped=1)\n', [1, 0, 1]],
  ['unittest, red', 'Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n', [1, 2, 1]],
  ['unittest, none', 'Ran 0 tests in 0.000s\n\nOK\n', [0, 0, 0]],
  ['unittest of Python 3.12, none', 'Ran 0 tests in 0.000s\n\nNO TESTS RAN\n', [0, 0, 0]],
  [
    'node:test',
    'ℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 197.45\n',
    [1, 0, 1],
  ],
  [
    'node:test as TAP',
    '1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n',
    [0, 0, 0],
  ],
  ['tape', '1..2\n# tests 2\n# pass  2\n\n# ok\n', [2, 0, 0]],
  ['tape, red', 'not ok 2 x\n\n1..3\n# tests 3\n# pass  2\n# fail  1\n', [2, 1, 0]],
  [
    'vitest, in colours',
    '\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m\u001b[90m (1)\u001b[39m\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[33m1 skipped\u001b[39m\u001b[90m (2)\u001b[39m\n',
    [1, 0, 1],
  ],
  ['vitest, red', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n', [2, 1, 0]],
  ['vitest, none', 'No test files found, exiting with code 0\n', [0, 0, 0]],
  ['vitest, all skipped', '      Tests  2 skipped (2)\n', [0, 0, 2]],
  [
    'jest',
    'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 1 passed, 3 total\nSnapshots:   0 total\n',
    [1, 1, 1],
  ],
  ['jest, none', 'No tests found, exiting with code 0', [0, 0, 0]],
  ['mocha', '\n\n  1 passing (3ms)\n  1 pending\n  1 failing\n', [1, 1, 1]],
  ['mocha, none', '\n\n  0 passing (1ms)\n', [0, 0, 0]],
  [
    'tap',
    'Suites:   1 passed, 1 of 1 completed\nAsserts:  3 passed, 1 skip, of 4\nTime:   400ms\n',
    [3, 0, 1],
  ],
  ['tap 21', '1..1\n# { total: 4, pass: 3, fail: 1 }\n# time=34.038ms\n', [3, 1, 0]],
  ['ava', '  ─\n\n  2 tests passed\n  1 test failed\n  1 test skipped\n', [2, 1, 1]],
  ['ava, none', "  ✖ Couldn't find any files to test\n", [0, 0, 0]],
  ['playwright', '\n  1 skipped\n  3 passed (4.2s)\n', [3, 0, 1]],
  ['bun', ' 3 pass\n 0 fail\n 5 expect() calls\nRan 3 tests across 1 file. [5.00ms]\n', [3, 0, 0]],
  ['deno', 'ok | 3 passed | 0 failed (5ms)\n', [3, 0, 0]],
  ['gotestsum', '✓  a (3ms)\n\nDONE 3 tests, 1 skipped in 0.123s\n', [2, 0, 1]],
  ['gotestsum, red', 'DONE 3 tests, 1 failure in 1.2s\n', [2, 1, 0]],
  ['gotestsum, none', '∅  a\n\nDONE 0 tests in 0.002s\n', [0, 0, 0]],
  ['dotnet test, all filtered out', 'No test matches the given testcase filter `A` in /a/b.dll\n', [0, 0, 0]],
  ['ExUnit, none', 'There are no tests to run\n', [0, 0, 0]],
  ['go test', 'ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]\n', [1, 0, 0]],
  [
    'go test, none',
    'testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.002s [no tests to run]\n',
    [0, 0, 0],
  ],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \tx\t0.1s\n',
    [1, 0, 1],
  ],
  [
    'cargo test',
    'test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n',
    [1, 0, 1],
  ],
  ['nextest', '     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 4 skipped\n', [2, 1, 4]],
  ['rspec', 'Finished in 0.002 seconds\n3 examples, 1 failure, 1 pending\n', [1, 1, 1]],
  ['rspec, none', '0 examples, 0 failures\n', [0, 0, 0]],
  ['minitest', '3 runs, 5 assertions, 1 failures, 0 errors, 1 skips\n', [1, 1, 1]],
  ['phpunit', 'OK (3 tests, 5 assertions)\n', [3, 0, 0]],
  ['phpunit, red', 'FAILURES!\nTests: 3, Assertions: 5, Failures: 1, Skipped: 1.\n', [1, 1, 1]],
  ['phpunit, none', 'No tests executed!\n', [0, 0, 0]],
  ['Pest', '  Tests:    1 failed, 2 passed (5 assertions)\n', [2, 1, 0]],
  ['gradle, red', '3 tests completed, 1 failed, 1 skipped\n', [1, 1, 1]],
  ['gradle, none', '> Task :test NO-SOURCE\n', [0, 0, 0]],
  [
    'maven',
    '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in com.x.ATest\n[INFO] Results:\n[INFO] \n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n',
    [2, 0, 1],
  ],
  ['maven, none', '[INFO] No tests to run.\n', [0, 0, 0]],
  [
    'dotnet',
    'Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 5 ms - X.dll (net8.0)\n',
    [3, 0, 1],
  ],
  ['dotnet 9', 'Test summary: total: 4, failed: 1, succeeded: 2, skipped: 1, duration: 1.2s\n', [2, 1, 1]],
  ['ctest', '50% tests passed, 1 tests failed out of 2\n', [1, 1, 0]],
  ['ctest, none', 'No tests were found!!!\n', [0, 0, 0]],
  [
    'prove',
    'All tests successful.\nFiles=1, Tests=2,  0 wallclock secs ( 0.02 usr)\nResult: PASS\n',
    [2, 0, 0],
  ],
  ['prove, none', 'Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS\n', [0, 0, 0]],
  ['bats', '3 tests, 1 failure, 1 skipped\n', [1, 1, 1]],
  ['bats to a pipe', '1..3\nok 1 a\nok 2 b # skip\nnot ok 3 c\n', [1, 1, 1]],
  ['ExUnit', '2 doctests, 3 tests, 1 failure, 1 excluded\n', [1, 1, 1]],
  ['several in one', '===== 2 passed in 0.1s =====\n\n  3 passing (4ms)\n', [5, 0, 0]],
  ['Windows line ends', '  3 passing (4ms)\r\n  1 pending\r\n', [3, 0, 1]],
  ['no runner', 'Checked 12 files in 3s. No fixes applied.\n', undefined],
  ['prose about tests', 'We ran 3 tests by hand and 2 passed in the end.\n', undefined],
];

test.each(rows)('%s', (_, output, counts) => {
  const found = readTestCounts(output);
  expect(found && [found.passed, found.failed, found.skipped]).toEqual(counts);
});
