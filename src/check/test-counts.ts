// Pure. What a test runner says it ran, by its closing lines.
import { stripVTControlCharacters } from 'node:util';

/** `passed` may count files or packages. */
export type TestCounts = Readonly<{ passed: number; failed: number; skipped: number }>;

/** The sum of all closing lines; undefined if no runner spoke. */
export function readTestCounts(output: string): TestCounts | undefined {
  const text = stripVTControlCharacters(output).replaceAll('\r', '');
  const counts = rows.flatMap(({ line, read }) => [...text.matchAll(line)].map(read));
  const go = readGo(text);
  const found = [...counts, ...go];
  const all = found.length > 0 ? found : readTap(text);
  return all.length === 0 ? undefined : all.reduce(sum);
}

const sum = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

const none: TestCounts = { passed: 0, failed: 0, skipped: 0 };

type Match = readonly (string | undefined)[];
/** `3 passed, 1 failed` */
const words = /(\d+)\s+(\w+)/g;

/** `Failures: 1`, `skipped=1` */
const keys = /(\w+)\s*[:=]\s*(\d+)/g;

const isPassed = /^(?:pass|passed|passing|succeeded|xpassed)$/i;
const isFailed = /^(?:fail|failed|failing|failures?|errors?|errored)$/i;
const isSkipped =
  /^(?:skip|skips|skipped|pending|pendings|todo|ignored|omissions|xfailed|excluded|incomplete)$/i;

function named(pairs: readonly (readonly [word: string, number: string])[]): TestCounts {
  const add = (pattern: RegExp) =>
    pairs.reduce((total, [word, number]) => total + (pattern.test(word) ? Number(number) : 0), 0);
  return { passed: add(isPassed), failed: add(isFailed), skipped: add(isSkipped) };
}

const byWords = ([text = '']: Match): TestCounts =>
  named([...text.matchAll(words)].map(([, number = '', word = '']) => [word, number]));

function remaining(ran: string | undefined, rest: TestCounts): TestCounts {
  return { ...rest, passed: Math.max(0, Number(ran) - rest.failed - rest.skipped) };
}

const restByWords = (match: Match): TestCounts => remaining(match[1], byWords(match));

const restByKeys = ([text, ran]: Match): TestCounts => remaining(ran, byKeys([text]));

const byKeys = ([text = '']: Match): TestCounts =>
  named([...text.matchAll(keys)].map(([, word = '', number = '']) => [word, number]));

/** Of them all, where they find no test. */
const noTest =
  /^(?:=* *no tests (?:ran|collected)\b.*\bin [\d.]+s| *Tests {2,}no tests$| *INFO {2}No tests found\.|.*Couldn.t find any files to test|> Task \S*:test NO-SOURCE$|(?:\[\w+\] )?No tests? (?:files? found\b|found\b|executed!|to run\.|were found!!!|is available in|matches the given testcase filter)|No test files found\b|There are no tests to run$)/gm;

/** With versions that were seen to print it. */
const rows: readonly Readonly<{ line: RegExp; read: (match: Match) => TestCounts }>[] = [
  { line: noTest, read: () => none },
  // pytest 7 to 9
  {
    line: /^=* *\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?|warnings?)\b.* in [\d.]+s\b/gm,
    read: byWords,
  },
  // unittest, Django
  { line: /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)?.*/gm, read: restByKeys },
  // node:test as spec or TAP, tape
  {
    line: /^[ℹ#] tests +\d+\n(?:[ℹ#] \w+ +[\d.]+\n?)+/gm,
    read: ([text = '']) =>
      named([...text.matchAll(/[ℹ#] (\w+) +(\d+)/g)].map(([, word = '', number = '']) => [word, number])),
  },
  // vitest, jest, Pest
  { line: /^ *Tests:? +(?:\d+ \w+[ ,|]*)+\(?\d*.*/gm, read: byWords },
  // mocha
  { line: /^ {2}\d+ passing\b.*(?:\n {2}\d+ (?:pending|failing))*/gm, read: byWords },
  // node-tap 16 to 21
  { line: /^Asserts: .*\bof \d+/gm, read: byWords },
  { line: /^# \{ total: .*\}/gm, read: byKeys },
  // ava
  {
    line: /^ {2}\d+ tests? (?:passed|failed|skipped|todo)$/gm,
    read: ([text = '']) => byWords([text.replace(/tests? /, '')]),
  },
  // playwright
  { line: /^ {2}\d+ (?:passed|failed|skipped|flaky)(?: \([\d.]+m?s\))?$/gm, read: byWords },
  // bun, deno
  { line: /^ *\d+ pass\n(?: *\d+ (?:skip|todo|fail)\n)+/gm, read: byWords },
  { line: /^(?:ok|FAILED) \| \d+ passed .*/gm, read: byWords },
  // cargo test, nextest
  { line: /^test result: .*/gm, read: byWords },
  { line: /^ *Summary \[.*\] .*\btests? run: (.*)/gm, read: ([, text = '']) => byWords([text]) },
  // RSpec; minitest and Rails; test-unit
  { line: /^(\d+) examples?, \d+ failures?.*/gm, read: restByWords },
  { line: /^(\d+) (?:runs|tests), \d+ assertions, .*/gm, read: restByWords },
  // PHPUnit 9 to 12
  { line: /^OK.* \((\d+) tests?, \d+ assertions?\)/gm, read: restByWords },
  { line: /^Tests: (\d+), Assertions: .*/gm, read: restByKeys },
  // Gradle says nothing of tests that are all green.
  { line: /^(\d+) tests? completed, .*/gm, read: restByWords },
  // Maven's Surefire: a line for each class, which names its time, and one for the module.
  { line: /^(?:\[\w+\] )?Tests run: (\d+), Failures: .*Skipped: \d+$/gm, read: restByKeys },
  // dotnet test: VSTest, and the terminal logger
  { line: /^(?:Passed|Failed|Skipped)! +- Failed: .*/gm, read: byKeys },
  { line: /^ *Test summary: total: \d+, .*/gm, read: byKeys },
  // CTest
  {
    line: /^\d+% tests passed, (\d+) tests? failed out of (\d+)/gm,
    read: ([, failed, ran]) => ({ passed: Number(ran) - Number(failed), failed: Number(failed), skipped: 0 }),
  },
  // prove
  { line: /^Files=\d+, Tests=(\d+),/gm, read: (match) => remaining(match[1], none) },
  // gotestsum
  { line: /^DONE (\d+) tests?\b.* in [\d.]+s$/gm, read: restByWords },
  // bats, ExUnit
  { line: /^(?:\d+ doctests?, )?(\d+) tests?, \d+ failures?.*/gm, read: restByWords },
];

/** Go names tests only with `-v` or where they fail; else packages count. */
function readGo(text: string): readonly TestCounts[] {
  const ended = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const packages = ended(/^(?:ok|FAIL|\?) *\t/gm);
  if (packages === 0) return [];
  const tests = ended(/^--- PASS: /gm);
  const passed = tests > 0 ? tests : ended(/^ok *\t(?!.*\[no tests? )/gm);
  return [{ passed, failed: ended(/^--- FAIL: /gm), skipped: ended(/^--- SKIP: /gm) }];
}

/** TAP without a summary, as bats pipes it. */
function readTap(text: string): readonly TestCounts[] {
  if (!/^1\.\.\d+/m.test(text)) return [];
  const ended = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const skipped = ended(/^ok \d+.*# skip\b/gim);
  return [{ passed: ended(/^ok \d+/gm) - skipped, failed: ended(/^not ok \d+/gm), skipped }];
}
