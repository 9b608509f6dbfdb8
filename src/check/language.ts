// Which language a file is in, and whether it is a test. Each language has a table of its own.
import { go } from './language/go.ts';
import { java } from './language/java.ts';
import { javascript } from './language/javascript.ts';
import { python } from './language/python.ts';
import { rust } from './language/rust.ts';
import type { Language } from './language/shape.ts';

const languages: readonly Language[] = [javascript, python, go, rust, java];

/** The language of a source file; undefined for files of none. */
export function findLanguage(file: string): Language | undefined {
  return languages.find(({ source }) => source.test(file));
}

/** True for a file that holds tests by its name or folder. */
export function isTestFile(file: string): boolean {
  return findLanguage(file)?.test.test(file) ?? false;
}
