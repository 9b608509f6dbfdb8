// Rust: the built-in test harness, its async runtimes, and rustc's and clippy's lints.
import type { Language } from './shape.ts';

/** The table of Rust. */
export const rust: Language = {
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
