// Java and Kotlin: JUnit 4 and 5, TestNG, Kotest's annotations, and their linters.
import type { Language } from './shape.ts';

/** The table of Java and Kotlin. */
export const java: Language = {
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
