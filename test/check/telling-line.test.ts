import { expect, test } from 'vitest';
import { tellingLine } from '../../src/check/telling-line.ts';

test.each([
  ['nothing', '', undefined],
  ['rules and blank lines alone', '\n-----\n \n', undefined],
  [
    'no telling line: the last three',
    'begin\nbuilding\n7 parts\n3 of 7 are wrong\n\n',
    'building\n7 parts\n3 of 7 are wrong',
  ],
  [
    'eslint',
    '\n/r/lib/ini.js\n  3:1   warning  odd  x\n  21:1  error  This line has a length of 108  max-len\n\n✖ 2 problems (1 error, 1 warning)',
    '/r/lib/ini.js:21:1 error This line has a length of 108 max-len',
  ],
  [
    'node',
    '✖ slug (1ms)\n  AssertionError [ERR_ASSERTION]: x\n# fail 1',
    'AssertionError [ERR_ASSERTION]: x',
  ],
  [
    'a missing module',
    "node:internal\nError: Cannot find module '/a'\n at x",
    "Error: Cannot find module '/a'",
  ],
  [
    'vitest',
    ' FAIL  a.test.ts > b\nAssertionError: expected 1 to be 2\n',
    'AssertionError: expected 1 to be 2',
  ],
  [
    'tsc',
    "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\nFound 1 error.",
    "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
  ],
  [
    'rust',
    'Compiling a\nerror[E0382]: borrow of moved value: `x`\n',
    'error[E0382]: borrow of moved value: `x`',
  ],
  [
    'a panic',
    "running 1 test\nthread 'main' panicked at src/a.rs:1:1:\nboom",
    "thread 'main' panicked at src/a.rs:1:1: boom",
  ],
  [
    'go',
    '--- FAIL: TestA (0.00s)\n    a_test.go:5: expected 1, got 2\nFAIL',
    'a_test.go:5: expected 1, got 2',
  ],
  [
    'pytest',
    'F\n    assert a == b\nE   assert 1 == 2\nFAILED t.py::test_a - assert 1 == 2',
    'E   assert 1 == 2',
  ],
  ['gcc', 'cc a.c\na.c:3:1: error: expected ‘;’\n1 error', 'a.c:3:1: error: expected ‘;’'],
  ['bash', 'a.sh: line 2: vitestt: command not found\n', 'a.sh: line 2: vitestt: command not found'],
  ['a count of no errors', '0 errors: fine\nlint: 2 problems', '0 errors: fine\nlint: 2 problems'],
  [
    'a linter that only warns, before the tests',
    '✖ 53 problems (0 errors, 53 warnings)\n\nok 1 parses\nnot ok 2 counts flags\n# fail 1',
    'not ok 2 counts flags',
  ],
  [
    'npm without the script',
    'npm error Missing script: "lint"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /home/a/.npm/_logs/x.log\n',
    'npm error Missing script: "lint"',
  ],
  [
    'uvu',
    '  FAIL  "joins"\n    Expected values to be strictly equal:  (is)\n\n        ++a.b     (Expected)\n        --a b     (Actual)\n        ^^ ^\n\n    at a.test.js:6:9\n',
    'Expected values to be strictly equal: (is) ++a.b (Expected) --a b (Actual)',
  ],
  [
    'AVA',
    '  ✘ [fail]: parses\n\n  a.test.js:6\n\n   6:   t.is(parse(), 1340);\n\n  Difference (- actual, + expected):\n\n  - 1372.16\n  + 1340\n\n  › file://a.test.js:6:4\n\n  1 test failed\n',
    'Difference (- actual, + expected): - 1372.16 + 1340',
  ],
  ['TAP', 'ok 1 - a\nnot ok 2 - b\n1..2', 'not ok 2 - b'],
  [
    'TAP, with a reason in a block',
    "not ok 1 - wraps\n  ---\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n    + actual - expected\n    \n    + 'four five'\n    - 'four'\n  code: 'ERR_ASSERTION'\n",
    "Expected values to be strictly equal: + 'four five' - 'four'",
  ],
  [
    'node’s own words',
    '✖ adds\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n  3 !== 4\n\n      at a.js:1:1',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 4',
  ],
  ['colours', '\u001b[31mTypeError: x is not a function\u001b[0m\n', 'TypeError: x is not a function'],
  ['a progress line that was written over', '10%\r90%\rfatal: no space\r\n', 'fatal: no space'],
])('%s', (_, output, telling) => {
  expect(tellingLine(output)).toBe(telling);
});

test('a long line is cut', () => {
  expect(tellingLine(`Error: ${'x'.repeat(1000)}`)).toHaveLength(160);
});
