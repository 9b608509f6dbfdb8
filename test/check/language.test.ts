// Which files are tests.
import { expect, it } from 'vitest';
import { isTestFile } from '../../src/check/language.ts';

it.each([
  'a.test.ts',
  'src/a.spec.tsx',
  'a_test.ts',
  'src/__tests__/a.js',
  'test/a.mjs',
  'tests/deep/a.ts',
  'e2e/a.ts',
  'a.cy.ts',
  'test_a.py',
  'a_test.py',
  'tests/a.py',
  'conftest.py',
  'app/tests.py',
  'a_test.go',
  'tests/a.rs',
  'src/a_test.rs',
  'src/tests.rs',
  'src/test/java/A.java',
  'src/ATest.java',
  'AIT.kt',
  'x/ASpec.groovy',
  'src/androidTest/A.kt',
])('%s is', (file) => {
  expect(isTestFile(file)).toBe(true);
});

it.each([
  'src/a.ts',
  'test.js',
  'latest.ts',
  'contest.py',
  'src/testing.ts',
  'attest/a.ts',
  'test/data.json',
  'test/run.sh',
  'README.md',
  'testa.py',
  'a_testing.go',
  'test/a.go',
  'src/lib.rs',
  'src/main/java/Latest2.java',
  'src/main/java/Contest.java.txt',
  '',
])('%s is not', (file) => {
  expect(isTestFile(file)).toBe(false);
});
