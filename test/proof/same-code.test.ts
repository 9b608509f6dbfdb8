// Which differences are comments, layout or types, and which are code.
import { expect, test } from 'vitest';
import { isSameCode, mayParse } from '../../src/proof/same-code.ts';

test.each([
  ['a.ts', 'const a: number = 1; // one\n', '/* A. */\nconst a = 1\n', true],
  ['a.ts', 'const a = 1;\n', 'const a = 2;\n', false],
  ['a.ts', 'interface A { b: string }\nexport const c = 1;\n', 'export const c = 1;\n', true],
  ['a.js', 'f(a,\n  b,\n);\n', 'f(a, b)\n', true],
  ['a.js', "f('http://a');\n", "f('http://b');\n", false],
  ['a.js', "f('a // b');\n", "f('a // c');\n", false],
  ['a.tsx', 'const a = <b>c</b>; // d\n', 'const a = <b>c</b>;\n', true],
  ['a.py', 'def f():\n    """Doc."""\n    return 1  # one\n', 'def f():\n\n    return 1\n', true],
  ['a.py', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n', false],
  ['a.py', "x = '# no comment'\n", "x = '# another'\n", false],
  ['a.go', 'func f() {\n\treturn // now\n}\n', 'func f() { return }\n', true],
  ['a.css', 'a { b: c }\n', 'a {\n  b: c\n}\n', true],
  ['a.sql', 'select 1', 'select 2', false],
])('%s: %j and %j', (file, one, other, isSame) => {
  expect(isSameCode(file, one, other)).toBe(isSame);
});

test.each([
  ['a.ts', 'const a: number = 1;', true],
  ['a.js', 'if (a) {', false],
  ['a.mjs', "import a from 'b';\nawait a();\n", true],
  ['a.jsx', 'if (a) {', true],
  ['a.py', 'if a:', true],
])('%s: %j may parse: %s', (file, text, may) => {
  expect(mayParse(file, text)).toBe(may);
});
