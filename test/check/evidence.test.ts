// What is kept of outputs, which failures count as the same, and what an agent is told.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckRun } from '../../src/check/check-run.ts';
import { boundText, fingerprint, formatCheckEvidence } from '../../src/check/evidence.ts';

describe('boundText', () => {
  it.each<[string, string, [head: number, tail: number], string]>([
    ['keeps what fits', 'a\nb\nc\nd\ne', [4, 5], 'a\nb\nc\nd\ne'],
    ['keeps an empty text', '', [0, 0], ''],
    [
      'counts lines in the middle',
      'a\nb\nc\nd\ne\nf\ng\n',
      [6, 4],
      'a\nb\nc\n… (2 lines left out) …\nf\ng\n',
    ],
    ['says one line', 'a\nb\nc\nd\ne\n', [4, 4], 'a\nb\n… (1 line left out) …\nd\ne\n'],
    ['keeps whole lines', 'aa\nbb\ncc\ndd\n', [4, 4], 'aa\n… (2 lines left out) …\ndd\n'],
    ['cuts inside one long line', 'aaaabbbbcccc', [4, 4], 'aaaa\n… (4 characters left out) …\ncccc'],
    ['counts bytes, not characters', 'ééééxxéé', [5, 4], 'éé\n… (4 characters left out) …\néé'],
    ['never parts a pair', '😀😀😀', [6, 5], '😀\n… (2 characters left out) …\n😀'],
    ['keeps no head when it may not', 'abc', [0, 1], '… (2 characters left out) …\nc'],
    ['keeps no tail when it may not', 'abc', [1, 0], 'a\n… (2 characters left out) …\n'],
  ])('%s', (_, text, [headBytes, tailBytes], expected) => {
    expect(boundText(text, { headBytes, tailBytes })).toBe(expected);
  });

  it('owns up to what was left out before', () => {
    const text = boundText('a\nb\nc\nd\ne\nf\ng\n', { headBytes: 6, tailBytes: 4 }, { omittedBytes: 9 });
    expect(text).toContain('… (more than 2 lines left out) …');
  });

  const limits = fc.record({ headBytes: fc.nat(40), tailBytes: fc.nat(40) });
  const text = fc.string({
    unit: fc.oneof(fc.constant('\n'), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 })),
    maxLength: 60,
  });

  it('holds its bounds, keeps the ends as they are and parts no pair', () => {
    fc.assert(
      fc.property(text, limits, (whole, bounds) => {
        const bounded = boundText(whole, bounds);
        const marker = /(?:^|\n)… \(\d+ (?:lines?|characters) left out\) …\n/.exec(bounded);
        expect(bounded.isWellFormed()).toBe(true);
        if (bounded === whole) return;
        if (!marker) throw new Error('it is neither whole nor marked');
        const [head, tail] = [bounded.slice(0, marker.index), bounded.slice(marker.index + marker[0].length)];
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(bounds.headBytes);
        expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(bounds.tailBytes);
      }),
      { numRuns: 1000 },
    );
  });

  it('survives text that is no Unicode', () => {
    expect(() =>
      boundText('\uD83D\uD83D\uDE00\uDE00'.repeat(9), { headBytes: 4, tailBytes: 4 }),
    ).not.toThrow();
  });
});

describe('fingerprint', () => {
  const print = (output: string): string => fingerprint('npm test', 'red', output);

  it.each<[string, string, string]>([
    ['durations', 'FAIL a.test.ts (12.3s)', 'FAIL a.test.ts (845 ms)'],
    ['pytest’s summary', '=== 1 failed, 3 passed in 0.12s ===', '===== 1 failed, 4 passed in 11.5s ====='],
    ['clock times and dates', '2026-01-02T03:04:05.678Z boom', '2026-11-12T13:14:15.000Z boom'],
    ['a time of day', '[03:04:05] boom', '[13:14:15] boom'],
    ['epochs in milliseconds', 'at 1767323045678 boom', 'at 1767323099999 boom'],
    ['uuids', 'id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-e89b-12d3-a456-42661417abcd'],
    ['process ids', 'worker pid 123 died', 'worker pid 45678 died'],
    ['valgrind’s process ids', '==123== Invalid read', '==9876== Invalid read'],
    ['addresses', 'panic at 0x7ffe12', 'panic at 0xdeadbeef99'],
    ['hashes', 'built abc123def456', 'built 9f8e7d6c5b4a'],
    ['temporary paths', 'in /tmp/x-AbC1/f.txt: no', 'in /tmp/x-ZzZ9/f.txt: no'],
    [
      'macOS’s temporary paths',
      'in /private/var/folders/ab/cd12/T/x1: no',
      'in /private/var/folders/ab/cd12/T/y2: no',
    ],
    ['ports', 'connect 127.0.0.1:34567 refused', 'connect 127.0.0.1:45678 refused'],
    ['positions of frames', '  at f (src/a.ts:12:5)', '  at f (src/a.ts:99:17)'],
    ['positions of compilers', 'src/a.ts(12,5): error TS2322', 'src/a.ts(14,9): error TS2322'],
    ['positions in Python', 'File "a.py", line 12, in f', 'File "a.py", line 30, in f'],
    ['positions in Go', 'a_test.go:12: wrong', 'a_test.go:120: wrong'],
    ['positions of eslint', '  12:5  error  no-undef', '  13:7  error  no-undef'],
    ['numbers of code frames', '> 12 | expect(a)', '> 140 | expect(a)'],
    ['colours', '\u001B[31mFAIL\u001B[39m a', 'FAIL a'],
    ['progress lines', '10%\r50%\rFAIL a', '20%\rFAIL a'],
    ['the order of tests', 'FAIL a\nFAIL b', 'FAIL b\nFAIL a'],
    ['tests that pass', '✓ one 3ms\nFAIL b', '✓ two 4ms\n✓ three\nFAIL b'],
    ['numbers of TAP', 'not ok 3 - adds', 'not ok 5 - adds'],
    ['compilation that was cached', '   Compiling x v0.1.0\nFAILED y', 'FAILED y'],
    [
      'threads of Rust',
      "thread 'a' (4711) panicked at src/l.rs:1:2:",
      "thread 'a' (99) panicked at src/l.rs:4:5:",
    ],
    ['line endings', 'FAIL a\r\n', 'FAIL a\n'],
    ['trailing blanks', 'FAIL a   ', 'FAIL a'],
    ['seeds', 'seed: 12345 failed', 'seed: 777 failed'],
    ['what was left out', 'FAIL a\n… 123 bytes left out …', 'FAIL a\n… 999 bytes left out …'],
  ])('overlooks %s', (_, one, other) => {
    expect(print(one)).toBe(print(other));
  });

  it.each<[string, string, string]>([
    ['the failing test', 'FAIL a.test.ts > adds', 'FAIL a.test.ts > subtracts'],
    ['the file', 'FAIL a.test.ts', 'FAIL b.test.ts'],
    ['the count of failures', '2 failed, 3 passed', '1 failed, 3 passed'],
    ['the values', 'expected 5 to be 6', 'expected 7 to be 6'],
    ['the kind of error', 'TypeError: x', 'RangeError: x'],
    ['the code of an error', 'error TS2322: no', 'error TS2345: no'],
    ['one failure or two', 'FAIL a', 'FAIL a\nFAIL b'],
    ['any output or none', '', 'FAIL a'],
  ])('tells apart %s', (_, one, other) => {
    expect(print(one)).not.toBe(print(other));
  });

  it('tells apart commands and results', () => {
    const prints = [print('x'), fingerprint('make', 'red', 'x'), fingerprint('npm test', 'timed-out', 'x')];
    expect(new Set(prints).size).toBe(3);
  });

  it('comes to an end on lines without end', () => {
    for (const char of ['1', 'a', 'f', ':', ' ', '/tmp/', '1h ', '\r', '0x']) {
      expect(print(char.repeat(400_000 / char.length))).toMatch(/^[0-9a-f]{16}$/);
    }
  });
});

describe('formatCheckEvidence', () => {
  const place = { line: 1, column: 1, offset: 0 };

  function runOf(command: string, more: Partial<CheckRun> & { id?: string } = {}): CheckRun {
    const { id = command, ...rest } = more;
    const check = { id, scope: 'plan', command, atEnd: false, knownRed: false, cwd: '.', place } as const;
    return {
      check,
      result: 'red',
      exitCode: 1,
      durationMs: 1234,
      log: '/run/checks/001.log',
      output: 'FAIL a\n',
      leftovers: [],
      ...rest,
    };
  }
  const word = (runs: CheckRun[]): string => formatCheckEvidence(runs, new Set(['plan:2']));

  it('says what failed, its output and where all of it is', () => {
    expect(word([runOf('npm test')])).toMatchInlineSnapshot(`
      "1 check did not pass when pawl ran them.

      ## \`npm test\`: failed, exit code 1, after 1.2 s
      Whole output: /run/checks/001.log
      \`\`\`text
      FAIL a
      \`\`\`"
    `);
  });

  it.each<[string, CheckRun, RegExp]>([
    [
      'a clock',
      runOf('x', { result: 'timed-out', exitCode: null, reason: 'It took longer than 5 s and was ended.' }),
      /`x`: was ended by its clock after 1\.2 s\nIt took longer/,
    ],
    [
      'a program that is missing',
      runOf('x', { result: 'could-not-run', exitCode: 127 }),
      /`x`: could not run, exit code 127/,
    ],
    [
      'a folder that is missing',
      runOf('x', { result: 'could-not-run', exitCode: null, output: 'Its folder y', reason: 'Its folder y' }),
      /could not run\nWhole output: .*\n```text\nIts folder y\n```$/,
    ],
    ['a signal', runOf('x', { exitCode: null, signal: 'SIGSEGV' }), /failed, ended by SIGSEGV/],
    ['silence', runOf('x', { output: '' }), /It printed nothing\.$/],
    ['a failure from before', runOf('x', { id: 'plan:2' }), /failed in the same way before/],
    [
      'processes left',
      runOf('x', {
        leftovers: [{ pid: 7, ppid: 1, startTime: '1', command: 'node server.js' }],
      }),
      /`x` left processes running, which pawl ended: 7 node server\.js\./,
    ],
    ['a block by its first line', runOf('npm ci\nnpm test'), /## `npm ci …`: failed/],
    ['commands with backticks', runOf('echo `date`'), /## `` echo `date` ``: failed/],
    [
      'fences in the output by a longer one',
      runOf('x', { output: 'a\n````\nb' }),
      /\n`````text\na\n````\nb\n`````$/,
    ],
    ['colours by leaving them out', runOf('x', { output: '\u001B[31mred\u001B[39m\r\n' }), /text\nred\n```$/],
  ])('words %s', (_, run, expected) => {
    expect(word([run])).toMatch(expected);
  });

  it('counts what failed', () => {
    expect(word([runOf('x'), runOf('y')])).toMatch(/^2 checks did not pass/);
  });

  it('holds its bound and still shows the end of each failure', () => {
    const long = Array.from({ length: 5000 }, (_, at) => `line ${at} ünï`).join('\n');
    const runs = Array.from({ length: 4 }, (_, at) =>
      runOf(`check ${at}`, { output: `${long}\nend of ${at}` }),
    );
    const text = word(runs);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24 * 1024);
    for (const at of [0, 1, 2, 3]) expect(text).toContain(`end of ${at}`);
  });

  it('holds its bound whatever it is given', () => {
    const anyRun = fc.record({
      command: fc.string(),
      output: fc.string({ maxLength: 4000 }),
      count: fc.nat(40),
    });
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 30 }), (given) => {
        const runs = given.map(({ command, output }) => runOf(command, { output }));
        expect(Buffer.byteLength(word(runs))).toBeLessThanOrEqual(24 * 1024);
      }),
      { numRuns: 200 },
    );
  });
});
