// Python: pytest, unittest, and its linters and type checkers.
import type { Language } from './shape.ts';

/** The table of Python. */
export const python: Language = {
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
