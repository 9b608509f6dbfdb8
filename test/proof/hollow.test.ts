// New functions that fail, by language; and work that has more than functions.
import { expect, test } from 'vitest';
import { hollowOf } from '../../src/proof/hollow.ts';
import { changeOf } from '../helpers/small-change.ts';

const hollow = (file: string, after: string, before?: string, tests?: string): string | undefined => {
  const change = changeOf(before === undefined ? {} : { [file]: before }, { [file]: after });
  const at = hollowOf(change.files, tests)?.get(file) as { text?: string } | undefined;
  return at?.text;
};
const script = 'throw new Error("executed");';
const python = 'raise SystemError("executed")';

test.each([
  [
    'a.mjs',
    'export function a(n) {\n  return n;\n}\n',
    `export function a(n) {\n    ${script}\n  return n;\n}\n`,
  ],
  ['a.ts', 'export const a = (n: number) => n * 2;\n', `export const a = (n: number) => { ${script} };\n`],
  [
    'a.ts',
    'export class A {\n  go(): void {\n    run();\n  }\n}\n',
    `export class A {\n  go(): void {\n      ${script}\n    run();\n  }\n}\n`,
  ],
  [
    'a.py',
    'import os\n\n\ndef a(n):\n    return n\n',
    `import os\n\n\ndef a(n):\n    ${python}\n    return n\n`,
  ],
  ['a.py', 'def a(n): return n\n', `def a(n): ${python}\n`],
  [
    'a.py',
    'class A:\n    x = 1\n\n    def a(self):\n        return 1\n',
    `class A:\n    x = 1\n\n    def a(self):\n        ${python}\n        return 1\n`,
  ],
  [
    'a.go',
    'package a\n\nfunc A(n int) int {\n\treturn n\n}\n',
    'package a\n\nfunc A(n int) int {\n    panic("executed")\n\treturn n\n}\n',
  ],
  [
    'a.mjs',
    'const limit = 3;\nexport function a() {\n  return limit;\n}\n',
    `const limit = 3;\nexport function a() {\n    ${script}\n  return limit;\n}\n`,
  ],
  [
    'a.py',
    'def a():\n    return 2\n\n\nx = 0\n\n\ndef b():\n    return 1\n',
    `def a():\n    return 1\n\n\nx = 0\n\n\ndef b():\n    ${python}\n    return 1\n`,
    'def a():\n    return 1\n\n\nx = 0\n',
  ],
  [
    'a.py',
    'LIMIT = 3\n\ndef a():\n    return LIMIT\n',
    `LIMIT = 3\n\ndef a():\n    ${python}\n    return LIMIT\n`,
  ],
  [
    'a.py',
    'def a():\n    return 2\n\ndef b():\n    return 3\n',
    `def a():\n    return 1\ndef b():\n    ${python}\n    return 3\n`,
    'def a():\n    return 1\n',
  ],
  [
    'a.mjs',
    'export function a() {\n  return 2;\n}\nexport const b = () => 1;\n',
    `export function a() {\n  return 1;\n}\nexport const b = () => { ${script} };\n`,
    'export function a() {\n  return 1;\n}\n',
  ],
  [
    'a.go',
    'package a\n\nconst (\n\tlimit = 3\n)\n\ntype T struct {\n\tX int\n}\n\nfunc A() int {\n\treturn limit\n}\n',
    'package a\n\nconst (\n\tlimit = 3\n)\n\ntype T struct {\n\tX int\n}\n\nfunc A() int {\n    panic("executed")\n\treturn limit\n}\n',
  ],
  ['a.rb', 'def a(n)\n  n\nend\n', 'def a(n)\n    raise "executed"\n  n\nend\n'],
])('%s %j', (file, text, expected, before?: string) => {
  expect(hollow(file, text, before)).toBe(expected);
});

test.each([
  [
    'a value that tests name',
    'a.mjs',
    'export const limit = 3;\nexport function a() {\n  return 1;\n}\n',
    'equal(limit, 3)',
  ],
  [
    'a value of an object',
    'a.mjs',
    'export const set = {\n  limit: 3,\n};\nexport const a = () => 1;\n',
    'limit',
  ],
  [
    'a value in Go',
    'a.go',
    'package a\n\nconst (\n\tLimit = 3\n)\n\nfunc A() int {\n\treturn 1\n}\n',
    'a.Limit',
  ],
  ['a value in Python', 'a.py', 'LIMIT = 3\n\ndef a():\n    return 1\n', 'LIMIT'],
  ['no function', 'a.mjs', "import './b.mjs';\n", ''],
  ['another language', 'a.lua', 'function a() return 1 end\n', ''],
  [
    'within an old function',
    'a.py',
    'def a():\n    x = 1\n    y = 2\n    return x\n',
    '',
    'def a():\n    x = 1\n    return x\n',
  ],
])('not: %s', (_, file, after, tests, before?: string) => {
  expect(hollow(file, after, before, tests)).toBeUndefined();
});
