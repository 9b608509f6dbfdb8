// The shape of a language's table: how tests, skips and suppressions look in it.

/** A line shape with the words for a person who reads the note. */
export type Shape = Readonly<{ pattern: RegExp; word: string }>;

/** One language's table. Patterns see single lines of a diff, without their sign. */
export type Language = Readonly<{
  /** Source files of the language, by path. */
  source: RegExp;
  /** Those of them that are tests, by path. */
  test: RegExp;
  /** Tests may stand in any source file, so skips are looked for in all of them. */
  inlineTests?: boolean;
  /** A line that declares a test; its first group, when it took part, is the test's name. */
  declaration: RegExp;
  /** Lines that keep a test from running. */
  skips: readonly Shape[];
  /** Lines that keep all other tests from running. */
  onlys: readonly Shape[];
  /** Lines that silence a linter or type checker. */
  suppressions: readonly Shape[];
}>;
