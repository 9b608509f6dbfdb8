// A table for each language: which files are its sources and tests, how a test is declared, and what keeps it from running
// or silences a checker.

/** The language of a source file; undefined if unknown. */
export function findLanguage(file: string): Language | undefined {
  return languages.find(({ source }) => source.test(file));
}

/** True for a file that contains tests, judging by its name or folder. */
export function isTestFile(file: string): boolean {
  return findLanguage(file)?.test.test(file) ?? false;
}

/** A line pattern, with words for the person who reads the note. */
export type Shape = Readonly<{ pattern: RegExp; word: string }>;

/** One language's table. Patterns are matched against single lines of a diff, without their sign. */
export type Language = Readonly<{
  /** Source files of the language, by path. */
  source: RegExp;
  /** Those that are tests, by path. */
  test: RegExp;
  /** Tests may be in any source file, so skips are searched in all of them. */
  inlineTests?: boolean;
  /** A line that declares a test; its first group, if it matched, is the test's name. */
  declaration: RegExp;
  /** Lines that keep a test from running. */
  skips: readonly Shape[];
  /** Lines that keep all other tests from running. */
  onlys: readonly Shape[];
  /** Lines that silence a linter or type checker. */
  suppressions: readonly Shape[];
}>;

/** Rust: the built-in test harness. */
const rust: Language = {
  source: /\.rs$/,
  test: /(?:^|\/)(?:tests?\/.*|tests?|[^/]*_tests?)\.rs$/,
  inlineTests: true,
  declaration:
    /^\s*#\[(?:(?:tokio|async_std|actix_rt|actix_web|rstest|test_case|wasm_bindgen)(?:::|_))?test\b|^\s*#\[rstest\b/,
  skips: [
    { pattern: /#\[ignore\b/, word: '#[ignore]' },
    { pattern: /#!?\[cfg\((?:any\(\)|FALSE|false)\)\]/, word: 'compiled out' },
  ],
  onlys: [],
  suppressions: [
    { pattern: /#!?\[(?:cfg_attr\([^\]]*,\s*)?(?:allow|expect)\s*\(/, word: '#[allow]' },
    { pattern: /#!?\[(?:cfg_attr\([^\]]*,\s*)?coverage\(off\)/, word: 'coverage off' },
  ],
};

/** Go: the testing package and its usual suites. */
const go: Language = {
  source: /\.go$/,
  test: /_test\.go$/,
  declaration: /^\s*func\s+(?:\([^)]*\)\s*)?((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/,
  skips: [
    { pattern: /\b[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(/, word: 'skip' },
    { pattern: /(?:^|[^\w.])(?:XIt|XDescribe|XContext|PIt|PDescribe|PContext)\s*\(/, word: 'pending' },
    { pattern: /^\s*\/\/go:build\s+(?:ignore|never|false)\b/, word: 'file not built' },
    { pattern: /^\s*\/\/\s*\+build\s+ignore\b/, word: 'file not built' },
  ],
  onlys: [{ pattern: /(?:^|[^\w.])(?:FIt|FDescribe|FContext)\s*\(/, word: 'focus' }],
  suppressions: [
    { pattern: /\/\/\s*nolint\b/, word: 'nolint' },
    { pattern: /\/\/\s*lint:(?:file-)?ignore\b/, word: 'lint:ignore' },
    { pattern: /(?:\/\/|\/\*)\s*#nosec\b/, word: '#nosec' },
  ],
};

/** Java and Kotlin: JUnit 4 and 5, TestNG. */
const java: Language = {
  source: /\.(?:java|kts?|groovy|scala)$/,
  test: /(?:(?:^|\/)(?:src\/)?(?:test|androidTest|integrationTest)\/.*|(?:Tests?|Spec|IT))\.(?:java|kt|groovy|scala)$/,
  declaration:
    /^\s*@(?:org\.junit\.(?:jupiter\.api\.)?)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b|^\s*public\s+void\s+(test\w+)\s*\(/,
  skips: [
    { pattern: /@(?:Disabled|Ignore)(?:[A-Z]\w*)?\b/, word: 'disabled' },
    { pattern: /@Test\s*\([^)]*\benabled\s*=\s*false/, word: 'enabled = false' },
    { pattern: /\b(?:assumeTrue|assumeFalse|assumeThat|Assumptions?\.\w+)\s*\(/, word: 'assumption' },
  ],
  onlys: [],
  suppressions: [
    { pattern: /@(?:file:)?Suppress(?:Warnings|Lint|FBWarnings)?\b/, word: '@SuppressWarnings' },
    {
      pattern: /(?:\/\/|\/\*)\s*(?:NOSONAR|NOPMD|noinspection|ktlint-disable|CHECKSTYLE[.:]OFF)/,
      word: 'linter off',
    },
  ],
};

/** Python: pytest and unittest. */
const python: Language = {
  source: /\.pyi?$/i,
  test: /(?:(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py|(?:^|\/)tests?\/.*\.py)$/i,
  declaration: /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
  skips: [
    { pattern: /@(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b/, word: 'pytest mark' },
    { pattern: /\bpytestmark\s*=.*\b(?:skip|xfail)/, word: 'pytest mark of the whole file' },
    { pattern: /\bpytest\.(?:skip|xfail|importorskip)\s*\(/, word: 'skip at run time' },
    { pattern: /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b/, word: 'unittest skip' },
    { pattern: /\b(?:self\.skipTest|raise\s+(?:unittest\.)?SkipTest)\b/, word: 'skip at run time' },
    { pattern: /^\s*(?:collect_ignore|collect_ignore_glob|__test__)\s*\+?=/, word: 'not collected' },
  ],
  onlys: [],
  suppressions: [
    { pattern: /#\s*noqa\b/i, word: 'noqa' },
    { pattern: /#\s*type:\s*ignore\b/, word: 'type: ignore' },
    { pattern: /#\s*(?:pyright|mypy|ty):\s*(?:ignore|basic)/, word: 'type checker ignore' },
    { pattern: /#\s*pylint:\s*(?:disable|skip-file)/, word: 'pylint: disable' },
    { pattern: /#\s*(?:ruff|flake8|fmt):\s*(?:noqa|off)/i, word: 'linter off' },
    { pattern: /#\s*pragma:\s*no\s*cover/, word: 'coverage ignore' },
    { pattern: /#\s*nosec\b/, word: 'nosec' },
  ],
};

/** JavaScript and TypeScript: Jest, Vitest, Mocha, node:test and similar. */
const javascript: Language = {
  source: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i,
  test: /(?:[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?|(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress)\/.*\.[cm]?[jt]sx?)$/i,
  declaration:
    /^\s*(?:await\s+|void\s+)?(?:it|test|specify|Deno\.test|t\.test)(?:\.(?:concurrent|serial|each|for|fails|only|skip|todo|sequential)\b(?:\([^)]*\)|`[^`]*`)?)*\s*[(<`](?:\s*(['"`])((?:\\.|(?!\1).)*)\1)?/,
  skips: [
    {
      pattern: /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify)\.(?:skip|skipIf|runIf|todo|fixme)\b/,
      word: 'skip',
    },
    { pattern: /(?:^|[^\w.$])(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.]/, word: 'x-prefix' },
    { pattern: /(?:^|[^\w$])(?:t|ctx|context|testInfo|this)\.(?:skip|todo)\s*\(/, word: 'skip at run time' },
    { pattern: /[{,]\s*(?:skip|todo)\s*:\s*(?:true|['"`])/, word: 'skip option' },
  ],
  onlys: [
    { pattern: /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify)\.only\b/, word: 'only' },
    { pattern: /(?:^|[^\w.$])(?:fit|fdescribe|ftest|fcontext)\s*\(/, word: 'f-prefix' },
    { pattern: /[{,]\s*only\s*:\s*true/, word: 'only option' },
  ],
  suppressions: [
    { pattern: /(?:\/\/|\/\*)\s*eslint-disable/, word: 'eslint-disable' },
    {
      pattern: /(?:\/\/|\/\*)\s*(?:oxlint|tslint|stylelint|jshint|deno-lint)[-:](?:disable|ignore)/,
      word: 'linter disabled',
    },
    { pattern: /(?:\/\/|\/\*)\s*biome-ignore/, word: 'biome-ignore' },
    { pattern: /(?:\/\/|\/\*)\s*@ts-(?:ignore|expect-error|nocheck)\b/, word: '@ts-ignore' },
    { pattern: /\/[/*]\s*(?:istanbul|c8|v8)\s+ignore\b/, word: 'coverage ignore' },
    { pattern: /(?:\bas\s+unknown\s+as\b|\bas\s+any\b)/, word: 'cast around the type checker' },
  ],
};

const languages: readonly Language[] = [javascript, python, go, rust, java];
