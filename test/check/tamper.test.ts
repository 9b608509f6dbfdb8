// What a diff says about tests, linters and CI: one row per shape of each language's table.
import { describe, expect, it } from 'vitest';
import { findTamper, type TamperNote } from '../../src/check/tamper.ts';

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

const kinds = (notes: readonly TamperNote[]): string[] => notes.map(({ kind }) => kind);
const judge = (file: string, ...lines: string[]): string[] =>
  kinds(findTamper(diffOf(file, lines), [{ file, status: 'modified' }]));

describe('an added line', () => {
  it.each<[string, string, string]>([
    ['a.test.ts', "  it.skip('adds', () => {", 'test-skipped'],
    ['a.test.ts', "describe.skip('x', () => {", 'test-skipped'],
    ['a.test.ts', "test.todo('later')", 'test-skipped'],
    ['a.test.ts', "test.skipIf(true)('x', () => {})", 'test-skipped'],
    ['a.test.ts', "test.fixme('x', async () => {", 'test-skipped'],
    ['a.spec.js', "xit('adds', () => {", 'test-skipped'],
    ['a.spec.js', "xdescribe('adds', () => {", 'test-skipped'],
    ['test/a.js', "test('x', { skip: true }, () => {", 'test-skipped'],
    ['test/a.js', '  t.skip();', 'test-skipped'],
    ['test/a.js', '  this.skip();', 'test-skipped'],
    ['a.test.ts', "it.only('adds', () => {", 'only-added'],
    ['a.test.ts', "fit('adds', () => {", 'only-added'],
    ['a.test.ts', "fdescribe('adds', () => {", 'only-added'],
    ['a.test.mjs', "test('x', { only: true }, () => {", 'only-added'],
    ['src/a.ts', '// eslint-disable-next-line no-undef', 'suppression-added'],
    ['src/a.ts', '/* eslint-disable */', 'suppression-added'],
    ['src/a.ts', '// biome-ignore lint/x: because', 'suppression-added'],
    ['src/a.ts', '  // @ts-ignore', 'suppression-added'],
    ['src/a.tsx', '  {/* @ts-expect-error */}', 'suppression-added'],
    ['src/a.ts', '// @ts-nocheck', 'suppression-added'],
    ['src/a.ts', '/* v8 ignore next */', 'suppression-added'],
    ['src/a.ts', 'const x = y as any;', 'suppression-added'],
    ['src/a.ts', 'const x = y as unknown as T;', 'suppression-added'],
    ['test_a.py', '@pytest.mark.skip(reason="x")', 'test-skipped'],
    ['test_a.py', '    @pytest.mark.xfail', 'test-skipped'],
    ['tests/a.py', 'pytestmark = pytest.mark.skip', 'test-skipped'],
    ['a_test.py', '    pytest.skip("no")', 'test-skipped'],
    ['tests/test_a.py', '    @unittest.skipIf(True, "x")', 'test-skipped'],
    ['tests/test_a.py', '        self.skipTest("x")', 'test-skipped'],
    ['conftest.py', 'collect_ignore = ["test_a.py"]', 'test-skipped'],
    ['src/a.py', 'import x  # noqa: F401', 'suppression-added'],
    ['src/a.py', 'x = y  # type: ignore[attr]', 'suppression-added'],
    ['src/a.py', '# pyright: ignore', 'suppression-added'],
    ['src/a.py', '# pylint: disable=x', 'suppression-added'],
    ['src/a.py', '    return 1  # pragma: no cover', 'suppression-added'],
    ['a_test.go', '\tt.Skip("later")', 'test-skipped'],
    ['a_test.go', '//go:build ignore', 'test-skipped'],
    ['a_test.go', '\tXIt("adds", func() {', 'test-skipped'],
    ['a_test.go', '\tFIt("adds", func() {', 'only-added'],
    ['a.go', 'x() //nolint:errcheck', 'suppression-added'],
    ['a.go', '//lint:ignore SA1 x', 'suppression-added'],
    ['src/lib.rs', '    #[ignore]', 'test-skipped'],
    ['src/lib.rs', '    #[ignore = "slow"]', 'test-skipped'],
    ['src/lib.rs', '#![allow(dead_code)]', 'suppression-added'],
    ['src/lib.rs', '#[expect(clippy::x)]', 'suppression-added'],
    ['src/test/java/ATest.java', '    @Disabled("x")', 'test-skipped'],
    ['src/test/java/ATest.java', '    @Ignore', 'test-skipped'],
    ['src/test/java/ATest.java', '    @Test(enabled = false)', 'test-skipped'],
    ['src/test/kotlin/ATest.kt', '    assumeTrue(false)', 'test-skipped'],
    ['src/main/java/A.java', '@SuppressWarnings("unchecked")', 'suppression-added'],
    ['src/main/kotlin/A.kt', '@file:Suppress("x")', 'suppression-added'],
    ['src/main/java/A.java', 'x(); // NOSONAR', 'suppression-added'],
    ['eslint.config.js', "    'no-undef': 'off',", 'suppression-added'],
    ['.eslintrc.json', '"no-undef": 0,', 'suppression-added'],
    ['biome.json', '"noAny": "off"', 'suppression-added'],
    ['tsconfig.json', '    "strict": false,', 'suppression-added'],
    ['pyproject.toml', 'ignore = ["E501"]', 'suppression-added'],
    ['setup.cfg', 'ignore_errors = True', 'suppression-added'],
    ['.golangci.yml', '  exclude-rules:', 'suppression-added'],
    ['Cargo.toml', 'dead_code = "allow"', 'suppression-added'],
    ['Cargo.toml', 'harness = false', 'suppression-added'],
    ['tsconfig.json', '  "files": [],', 'suppression-added'],
    ['pom.xml', '    <skipTests>true</skipTests>', 'suppression-added'],
    ['app/build.gradle.kts', '    enabled = false', 'suppression-added'],
    ['.eslintignore', 'src/broken.ts', 'suppression-added'],
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
    ['tsconfig.json', '"strict": true,'],
    ['eslint.config.js', "'no-undef': 'error',"],
  ])('is no note in %s: %s', (file, line) => {
    expect(judge(file, `+${line}`)).toEqual([]);
  });

  it('is no note when the line only moved', () => {
    expect(judge('a.test.ts', "-it.skip('x', () => {", ' context', "+  it.skip('x', () => {")).toEqual([]);
    expect(
      judge('a.test.ts', "-it.skip('x', () => {", "+it.skip('x', () => {", "+it.skip('y', () => {"),
    ).toEqual(['test-skipped']);
  });

  it('has its line in the new file, and its text cut short', () => {
    const [note] = findTamper(diffOf('src/a.ts', [' one', '-two', `+// @ts-ignore ${'x'.repeat(500)}`]), []);
    expect(note).toMatchObject({
      line: 11,
      file: 'src/a.ts',
      detail: expect.stringMatching(/^@ts-ignore: \/\/ @ts-ignore x+…$/),
    });
    expect(note?.detail.length).toBeLessThan(160);
  });
});

describe('fewer tests', () => {
  it.each<[string, string, string]>([
    ['a.test.ts', "it('adds', () => {", 'adds'],
    ['a.test.ts', "  test.each([[1]])('adds %i', (n) => {", 'adds %i'],
    ['a.test.ts', 'test(`adds`, async () => {', 'adds'],
    ['a_test.ts', "Deno.test('adds', () => {", 'adds'],
    ['test_a.py', 'def test_adds():', 'test_adds'],
    ['test_a.py', '    async def test_adds(self):', 'test_adds'],
    ['a_test.go', 'func TestAdds(t *testing.T) {', 'TestAdds'],
    ['a_test.go', 'func (s *Suite) TestAdds() {', 'TestAdds'],
    ['src/lib.rs', '    #[test]', ''],
    ['src/lib.rs', '    #[tokio::test]', ''],
    ['src/test/java/ATest.java', '    @Test', ''],
    ['src/test/java/ATest.java', '    @ParameterizedTest', ''],
  ])('in %s: %s', (file, line, name) => {
    const [note, ...more] = findTamper(diffOf(file, [' x', `-${line}`]), []);
    expect(note).toMatchObject({ kind: 'fewer-tests', file, detail: expect.stringContaining(name) });
    expect(more).toEqual([]);
    expect(judge(file, `-${line}`, `+${line}`)).toEqual([]);
    expect(judge(file, `+${line}`)).toEqual([]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['a test that is commented out', ["-it('a', f)", "+// it('a', f)"], ['fewer-tests']],
    ['a renamed test', ["-it('a', f)", "+it('b', f)"], []],
    ['two that become one', ["-it('a', f)", "-it('b', f)", "+it('c', f)"], ['fewer-tests']],
    ['a call that is no test', ["-submit('a', f)", "-await fit.it('b')"], []],
  ])('%s', (_, lines, expected) => {
    expect(judge('a.test.ts', ...lines)).toEqual(expected);
  });

  it('counts how many and names them', () => {
    const lines = ["-it('a', f)", "-it('b', f)", "-it('c', f)", "+it('c', g)"];
    expect(findTamper(diffOf('a.test.ts', lines), [])).toEqual([
      { kind: 'fewer-tests', file: 'a.test.ts', detail: '2 test declarations fewer: “a”, “b”' },
    ]);
  });

  it('is no note when the tests are in another file now', () => {
    const diff =
      diffOf('a.test.ts', ["-it('a', f)", "-it('b', f)"]) +
      diffOf('b.test.ts', ["+it('a', f)", "+it('b', f)"], { status: 'added' });
    expect(findTamper(diff, [])).toEqual([]);
    const lost =
      diffOf('a.test.ts', ["-it('a', f)", "-it('b', f)"]) +
      diffOf('b.test.ts', ["+it('a', f)"], { status: 'added' });
    expect(findTamper(lost, [])).toMatchObject([
      { kind: 'fewer-tests', detail: '1 test declaration fewer: “b”' },
    ]);
  });

  it('is no note in files that are no tests', () => {
    expect(judge('src/a.ts', "-it('a', f)")).toEqual([]);
  });
});

describe('deleted tests', () => {
  it('are one note each, by diff or by list', () => {
    const diff = diffOf('a.test.ts', ["-it('a', f)"], { status: 'deleted' });
    const expected = [{ kind: 'test-deleted', file: 'a.test.ts', detail: 'test file deleted' }];
    expect(findTamper(diff, [])).toEqual(expected);
    expect(findTamper(diff, [{ file: 'a.test.ts', status: 'deleted' }])).toEqual(expected);
    expect(findTamper('', [{ file: 'a.test.ts', status: 'deleted' }])).toEqual(expected);
  });

  it('are no other files', () => {
    expect(
      findTamper('', [
        { file: 'src/a.ts', status: 'deleted' },
        { file: 'b.test.ts', status: 'modified' },
      ]),
    ).toEqual([]);
  });

  it('are also those renamed to what no runner finds, not those renamed to tests', () => {
    const to = (file: string): string[] =>
      kinds(findTamper(diffOf(file, [' x'], { status: 'renamed', from: 'a.test.ts' }), []));
    expect(to('a.test.ts.bak')).toEqual(['test-deleted']);
    expect(to('b.test.ts')).toEqual([]);
  });
});

describe('continuous integration', () => {
  it.each([
    '.github/workflows/ci.yml',
    '.github/actions/x/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    '.travis.yml',
    'azure-pipelines.yml',
    'Jenkinsfile',
    'bitbucket-pipelines.yml',
    '.buildkite/pipeline.yml',
    '.woodpecker/a.yml',
    '.drone.yml',
    'appveyor.yml',
    '.forgejo/workflows/a.yml',
  ])('is %s', (file) => {
    expect(findTamper('', [{ file, status: 'modified' }])).toEqual([
      { kind: 'ci-edited', file, detail: 'continuous integration modified' },
    ]);
    expect(kinds(findTamper(diffOf(file, ['+x']), []))).toEqual(['ci-edited']);
  });

  it.each(['.github/CODEOWNERS', 'docs/.gitlab-ci.yml.md', 'src/jenkinsfile.ts', 'docker-compose.yml'])(
    'is not %s',
    (file) => {
      expect(findTamper(diffOf(file, ['+x']), [{ file, status: 'modified' }])).toEqual([]);
    },
  );
});
