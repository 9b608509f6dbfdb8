// Go: the testing package, its usual suites, and golangci-lint.
import type { Language } from './shape.ts';

/** The table of Go. */
export const go: Language = {
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
