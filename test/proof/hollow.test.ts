// New functions that fail, by language; and work that has more than functions.
import { expect, test } from 'vitest';
import { hollowOf } from '../../src/proof/hollow.ts';
import { changeOf } from '../helpers/small-change.ts';

const hollow = (file: string, after: string, before?: string, tests?: string): string | undefined => {
  const change = changeOf(before === undefined ? {} : { [file]: before }, { [file]: after });
  const at = hollowOf(change, tests)?.get(file) as { text?: string } | undefined;
  return at?.text;
};
const bangs: Readonly<Record<string, string>> = {
  mjs: 'throw new Error("executed");',
  ts: 'throw new Error("executed");',
  py: 'raise SystemError("executed")',
  go: 'panic("executed")',
  rb: 'raise "executed"',
};
const bangOf = (file: string): string => bangs[file.slice(2)] ?? '';

/** `@` in a line of its own: where it fails; `«…»`: what fails instead. */
test.each([
  ['a.mjs', 'export function a(n) {\n    @\n  return n;\n}\n'],
  ['a.ts', 'export const a = (n: number) => «n * 2»;\n'],
  ['a.ts', 'export class A {\n  go(): void {\n      @\n    run();\n  }\n}\n'],
  ['a.py', 'import os\n\n\ndef a(n):\n    @\n    return n\n'],
  ['a.py', 'def a(n): «return n»\n'],
  ['a.py', 'class A:\n    x = 1\n\n    def a(self):\n        @\n        return 1\n'],
  ['a.go', 'package a\n\nfunc A(n int) int {\n    @\n\treturn n\n}\n'],
  ['a.mjs', 'const limit = 3;\nexport function a() {\n    @\n  return limit;\n}\n'],
  ['a.py', 'LIMIT = 3\n\ndef a():\n    @\n    return LIMIT\n'],
  [
    'a.go',
    'package a\n\nconst (\n\tlimit = 3\n)\n\ntype T struct {\n\tX int\n}\n\nfunc A() int {\n    @\n\treturn limit\n}\n',
  ],
  ['a.rb', 'def a(n)\n    @\n  n\nend\n'],
])('%s %j', (file, shape) => {
  const bang = bangOf(file);
  const text = shape.replace(/^ *@\n/gm, '').replace(/«(.*)»/, '$1');
  const expected = shape.replace('@', bang).replace(/«.*»/, file === 'a.ts' ? `{ ${bang} }` : bang);
  expect(hollow(file, text)).toBe(expected);
});

test.each([
  ['a.py', 'def a():\n    return 1\n\n\nx = 0\n', '\n\ndef b():\n', '    return 1\n'],
  ['a.py', 'def a():\n    return 1\n', 'def b():\n', '    return 3\n'],
  ['a.mjs', 'export function a() {\n  return 1;\n}\n', 'export const b = () => ', '1;\n'],
])('%s: a changed function is as it was, a new one below it fails: %j', (file, before, head, body) => {
  const bang = bangOf(file);
  const now = before.replace('return 1', 'return 2');
  const fails = file === 'a.mjs' ? `{ ${bang} };\n` : `    ${bang}\n${body}`;
  expect(hollow(file, `${now}${head}${body}`, before)).toBe(`${before}${head}${fails}`);
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
