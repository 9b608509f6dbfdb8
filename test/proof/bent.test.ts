// What a diff takes from tests, linters and CI: a row for each shape.
import { describe, expect, it } from 'vitest';
import { sayTamper } from '../../src/event/guard.ts';
import { type BentNote, findBent } from '../../src/proof/bent.ts';

/** A diff of one file from lines with their sign. */
function diffOf(file: string, lines: readonly string[], { status = 'modified', from = file } = {}): string {
  const [removed, added] = [
    lines.filter((line) => line[0] !== '+').length,
    lines.filter((line) => line[0] !== '-').length,
  ];
  const headers = {
    modified: [],
    added: ['new file mode 100644'],
    deleted: ['deleted file mode 100644'],
    renamed: [`rename from ${from}`, `rename to ${file}`],
  };
  return [
    `diff --git a/${from} b/${file}`,
    ...(headers[status as keyof typeof headers] ?? []),
    `--- ${status === 'added' ? '/dev/null' : `a/${from}`}`,
    `+++ ${status === 'deleted' ? '/dev/null' : `b/${file}`}`,
    `@@ -10,${removed} +10,${added} @@`,
    ...lines,
    '',
  ].join('\n');
}

const kinds = (notes: readonly BentNote[]): string[] => notes.map(({ detail }) => detail);
const judge = (file: string, ...lines: string[]): string[] =>
  kinds(findBent(diffOf(file, lines), [{ file, status: 'modified' }]));

describe('an added line', () => {
  it.each<[string, string, string]>([
    ['a.test.ts', "  it.skip('adds', () => {", 'test skipped'],
    ['a.test.ts', "describe.skip('x', () => {", 'test skipped'],
    ['a.test.ts', "test.todo('later')", 'test skipped'],
    ['a.test.ts', "test.skipIf(true)('x', () => {})", 'test skipped'],
    ['a.test.ts', "test.fixme('x', async () => {", 'test skipped'],
    ['a.spec.js', "xit('adds', () => {", 'test skipped'],
    ['a.spec.js', "xdescribe('adds', () => {", 'test skipped'],
    ['test/a.js', "test('x', { skip: true }, () => {", 'test skipped'],
    ['test/a.js', '  t.skip();', 'test skipped'],
    ['test/a.js', '  this.skip();', 'test skipped'],
    ['a.test.ts', "it.only('adds', () => {", '“only” added'],
    ['a.test.ts', "fit('adds', () => {", '“only” added'],
    ['a.test.ts', "fdescribe('adds', () => {", '“only” added'],
    ['a.test.mjs', "test('x', { only: true }, () => {", '“only” added'],
    ['src/a.ts', '// eslint-disable-next-line no-undef', 'lint or type error suppressed'],
    ['src/a.ts', '/* eslint-disable */', 'lint or type error suppressed'],
    ['src/a.ts', '// biome-ignore lint/x: because', 'lint or type error suppressed'],
    ['src/a.ts', '  // @ts-ignore', 'lint or type error suppressed'],
    ['src/a.tsx', '  {/* @ts-expect-error */}', 'lint or type error suppressed'],
    ['src/a.ts', '// @ts-nocheck', 'lint or type error suppressed'],
    ['src/a.ts', '/* v8 ignore next */', 'lint or type error suppressed'],
    ['src/a.ts', 'const x = y as any;', 'lint or type error suppressed'],
    ['src/a.ts', 'const x = y as unknown as T;', 'lint or type error suppressed'],
    ['test_a.py', '@pytest.mark.skip(reason="x")', 'test skipped'],
    ['test_a.py', '    @pytest.mark.xfail', 'test skipped'],
    ['tests/a.py', 'pytestmark = pytest.mark.skip', 'test skipped'],
    ['a_test.py', '    pytest.skip("no")', 'test skipped'],
    ['tests/test_a.py', '    @unittest.skipIf(True, "x")', 'test skipped'],
    ['tests/test_a.py', '        self.skipTest("x")', 'test skipped'],
    ['conftest.py', 'collect_ignore = ["test_a.py"]', 'test skipped'],
    ['src/a.py', 'import x  # noqa: F401', 'lint or type error suppressed'],
    ['src/a.py', 'x = y  # type: ignore[attr]', 'lint or type error suppressed'],
    ['src/a.py', '# pyright: ignore', 'lint or type error suppressed'],
    ['src/a.py', '# pylint: disable=x', 'lint or type error suppressed'],
    ['src/a.py', '    return 1  # pragma: no cover', 'lint or type error suppressed'],
    ['a_test.go', '\tt.Skip("later")', 'test skipped'],
    ['a_test.go', '//go:build ignore', 'test skipped'],
    ['a_test.go', '\tXIt("adds", func() {', 'test skipped'],
    ['a_test.go', '\tFIt("adds", func() {', '“only” added'],
    ['a.go', 'x() //nolint:errcheck', 'lint or type error suppressed'],
    ['a.go', '//lint:ignore SA1 x', 'lint or type error suppressed'],
    ['src/lib.rs', '    #[ignore]', 'test skipped'],
    ['src/lib.rs', '    #[ignore = "slow"]', 'test skipped'],
    ['src/lib.rs', '#![allow(dead_code)]', 'lint or type error suppressed'],
    ['src/lib.rs', '#[expect(clippy::x)]', 'lint or type error suppressed'],
    ['src/test/java/ATest.java', '    @Disabled("x")', 'test skipped'],
    ['src/test/java/ATest.java', '    @Ignore', 'test skipped'],
    ['src/test/java/ATest.java', '    @Test(enabled = false)', 'test skipped'],
    ['src/test/kotlin/ATest.kt', '    assumeTrue(false)', 'test skipped'],
    ['src/main/java/A.java', '@SuppressWarnings("unchecked")', 'lint or type error suppressed'],
    ['src/main/kotlin/A.kt', '@file:Suppress("x")', 'lint or type error suppressed'],
    ['src/main/java/A.java', 'x(); // NOSONAR', 'lint or type error suppressed'],
  ])('in %s: %s', (file, line, kind) => {
    expect(judge(file, ' context', `+${line}`)).toEqual([kind]);
    expect(judge(file, ' context', `-${line}`)).not.toContain(kind);
    expect(judge(file, ` ${line}`, '+# unrelated')).toEqual([]);
  });

  it.each<[string, string]>([
    ['src/a.ts', "list.skip('x')"],
    ['src/a.ts', "it.skip('outside of tests')"],
    ['a.test.ts', 'const exit = quit()'],
    ['a.test.ts', 'submit.only = true'],
    ['a.test.ts', "profit('x')"],
    ['src/a.ts', 'const eslint = disable'],
    ['src/a.ts', '// as anyone would'],
    ['a.py', 'x = 1  # a note on types'],
    ['README.md', '// eslint-disable'],
    ['package.json', '"no-undef": "off"'],
    ['src/a.go', 'func T() { t.Skip() }'],
  ])('is no note in %s: %s', (file, line) => {
    expect(judge(file, `+${line}`)).toEqual([]);
  });

  it('is no note when the line only moved', () => {
    expect(judge('a.test.ts', "-it.skip('x', () => {", ' context', "+  it.skip('x', () => {")).toEqual([]);
    expect(
      judge('a.test.ts', "-it.skip('x', () => {", "+it.skip('x', () => {", "+it.skip('y', () => {"),
    ).toEqual(['test skipped']);
  });

  it('has its line in the new file, and its text cut short', () => {
    const [note] = findBent(diffOf('src/a.ts', [' one', '-two', `+// @ts-ignore ${'x'.repeat(500)}`]), []);
    expect(note).toMatchObject({
      line: 11,
      file: 'src/a.ts',
      quote: expect.stringMatching(/^\/\/ @ts-ignore x+…$/),
    });
    expect(note?.quote?.length).toBeLessThan(160);
  });
});

const details = (notes: readonly BentNote[]): string[] => notes.map(sayTamper);

describe('fewer tests, and fewer assertions', () => {
  it.each<[string, string]>([
    ['a.test.ts', "it('adds', () => {"],
    ['a.test.ts', "  test.each([[1]])('adds %i', (n) => {"],
    ['a.test.ts', 'test(`adds`, async () => {'],
    ['a_test.ts', "Deno.test('adds', () => {"],
    ['test_a.py', 'def test_adds():'],
    ['test_a.py', '    async def test_adds(self):'],
    ['a_test.go', 'func TestAdds(t *testing.T) {'],
    ['a_test.go', 'func (s *Suite) TestAdds() {'],
    ['src/lib.rs', '    #[test]'],
    ['src/lib.rs', '    #[tokio::test]'],
    ['src/test/java/ATest.java', '    @Test'],
    ['src/test/java/ATest.java', '    @ParameterizedTest'],
  ])('a test in %s: %s', (file, line) => {
    expect(details(findBent(diffOf(file, [' x', `-${line}`]), []))).toEqual([
      `1 test fewer in ${file}: ${line.trim()}`,
    ]);
    expect(judge(file, `-${line}`, `+${line}`)).toEqual([]);
    expect(judge(file, `+${line}`)).toEqual([]);
  });

  it.each<[string, string]>([
    ['test/a.js', '  assert.equal(add(1, 2), 3);'],
    ['test/a.js', '  assert(add(1, 2));'],
    ['a.test.ts', '  expect(add(1, 2)).toBe(3);'],
    ['a.spec.js', '  add(1, 2).should.equal(3);'],
    ['test/a.js', "  t.is(add(1, 2), 3, 'adds');"],
    ['test_a.py', '    assert add(1, 2) == 3'],
    ['test_a.py', '        self.assertEqual(add(1, 2), 3)'],
    ['a_test.go', '\t\tt.Errorf("got %d", got)'],
    ['a_test.go', '\trequire.Equal(t, 3, add(1, 2))'],
    ['tests/a.rs', '    assert_eq!(add(1, 2), 3);'],
    ['src/test/java/ATest.java', '    assertThat(add(1, 2)).isEqualTo(3);'],
  ])('an assertion in %s: %s', (file, line) => {
    const quote = line.trim();
    expect(details(findBent(diffOf(file, [`-${line}`]), []))).toEqual([
      `1 assertion fewer in ${file}: ${quote}`,
    ]);
    expect(
      details(findBent(diffOf(file, [`-${line}`, `+${line.replace('1', '4').replace('got', 'gut')}`]), [])),
    ).toEqual(
      quote.includes('1') || quote.includes('got') ? [`1 assertion changed in ${file}: ${quote}`] : [],
    );
    expect(judge(file, `+${line}`)).toEqual([]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['two assertions', ['-assert.equal(a, 1);', '-assert.equal(b, 2);'], ['2 assertions fewer']],
    ['one of two alike', ['-assert.ok(a);', '-assert.ok(a);', '+assert.ok(a);'], ['1 assertion fewer']],
    ['a weaker assertion', ['-assert.equal(a, 1);', '+assert.ok(a);'], ['1 assertion changed']],
    ['a test that is commented out', ["-it('a', f)", "+// it('a', f)"], ['1 test fewer']],
    ['a renamed test', ["-it('a', f)", "+it('b', f)"], []],
    ['two that become one', ["-it('a', f)", "-it('b', f)", "+it('c', f)"], ['1 test fewer']],
    ['a call that is no test', ["-submit('a', f)", "-await fit.it('b')"], []],
  ])('%s', (_, lines, expected) => {
    expect(judge('a.test.ts', ...lines)).toEqual(expected);
  });

  it('are no note when they are in another file now', () => {
    const diff =
      diffOf('a.test.ts', ["-it('a', f)", "-it('b', f)"]) +
      diffOf('b.test.ts', ["+it('a', f)", "+it('b', f)"], { status: 'added' });
    expect(findBent(diff, [])).toEqual([]);
    const lost =
      diffOf('a.test.ts', ["-it('a', f)", "-it('b', f)"]) +
      diffOf('b.test.ts', ["+it('a', f)"], { status: 'added' });
    expect(details(findBent(lost, []))).toEqual(["1 test fewer in a.test.ts: it('b', f)"]);
  });

  it('are no note in files that are no tests', () => {
    expect(judge('src/a.ts', "-it('a', f)", '-assert(x)')).toEqual([]);
  });
});

describe('removed tests', () => {
  it('are one note each, whatever they held', () => {
    const diff = diffOf('a.test.ts', ["-it('a', f)"], { status: 'deleted' });
    const expected = ['test removed in a.test.ts'];
    expect(details(findBent(diff, [{ file: 'a.test.ts', status: 'deleted' }]))).toEqual(expected);
    expect(details(findBent('', [{ file: 'a.test.ts', status: 'deleted' }]))).toEqual(expected);
  });

  it('are also those renamed to what no runner finds, not those renamed to tests, nor other files', () => {
    const to = (file: string): string[] =>
      kinds(findBent(diffOf(file, [' x'], { status: 'renamed', from: 'a.test.ts' }), []));
    expect(to('a.test.ts.bak')).toEqual(['test a.test.ts renamed to what no runner starts']);
    expect(to('b.test.ts')).toEqual([]);
    expect(findBent('', [{ file: 'src/a.ts', status: 'deleted' }])).toEqual([]);
  });
});

const ci =
  '.github/workflows/ci.yml .github/actions/x/action.yml .gitlab-ci.yml .circleci/config.yml .travis.yml azure-pipelines.yml Jenkinsfile bitbucket-pipelines.yml .buildkite/pipeline.yml .woodpecker/a.yml .drone.yml appveyor.yml .forgejo/workflows/a.yml';

it.each(ci.split(' '))('%s is of continuous integration', (file) => {
  expect(findBent('', [{ file, status: 'modified' }])).toEqual([{ file, detail: 'CI definition changed' }]);
});

it.each(['.github/CODEOWNERS', 'docs/.gitlab-ci.yml.md', 'src/jenkinsfile.ts', 'docker-compose.yml'])(
  '%s is not',
  (file) => {
    expect(findBent('', [{ file, status: 'modified' }])).toEqual([]);
  },
);
