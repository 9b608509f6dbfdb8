// Which files a check's words and a runner's settings name.
import { expect, test } from 'vitest';
import { findNamedFiles } from '../../src/proof/read-change.ts';

const readOf = (file: string) => (name: string) => (name === file ? '' : undefined);

const find = (files: readonly string[], over: Partial<Parameters<typeof findNamedFiles>[1]>) => [
  ...findNamedFiles(files, { checks: [], settings: [], read: () => undefined, ...over }),
];

test.each([
  ['node check.mjs', 'check.mjs'],
  ['sh ./tools/all.sh --fast', 'tools/all.sh'],
  ['CI=1 python3 -u run_checks.py && echo ok', 'run_checks.py'],
  ['./verify', 'verify'],
  ['cd x; "bin/check it"', 'x/bin/check it'],
])('%s runs %s', (command, file) => {
  expect(find([file, 'other'], { checks: [{ command, cwd: '.' }], read: readOf(file) })).toEqual([file]);
});

test.each([
  ['grep -qx right word.txt', 'word.txt'],
  ['test -f hello.txt', 'hello.txt'],
  ['npm test', 'test'],
  [`node -e "import('./src/a.js').then((a) => a)"`, 'src/a.js'],
])('%s does not run %s', (command, file) => {
  expect(find([file], { checks: [{ command, cwd: '.' }], read: readOf(file) })).toEqual([]);
});

test.each([
  ["export default { test: { setupFiles: ['./test/setup.ts'] } }", 'test/setup.ts'],
  ['{"jest": {"globalSetup": "<rootDir>/tests/global.js"}}', 'tests/global.js'],
  ['{"require": ["./spec/boot"]}', 'spec/boot.js'],
  ['{"scripts": {"test": "mocha --require ./spec/boot.js"}}', 'spec/boot.js'],
  ['--require spec_helper.rb', 'spec/spec_helper.rb'],
])('%s loads %s', (text, file) => {
  expect(find([file, 'src/a.ts'], { settings: [text] })).toEqual([file]);
});

test('a script of the package that a check names runs its file', () => {
  const texts = new Map([
    ['package.json', '{"scripts": {"test": "sh ci/test.sh", "report": "node tools/report.mjs"}}'],
    ['ci/test.sh', 'node ci/run.mjs\n'],
    ['ci/run.mjs', ''],
    ['tools/report.mjs', ''],
  ]);
  const found = find([], { checks: [{ command: 'npm test', cwd: '.' }], read: (name) => texts.get(name) });
  expect(found).toEqual(['ci/test.sh', 'ci/run.mjs']);
});

test('a check in a folder runs the file there', () => {
  const checks = [{ command: 'node check.mjs', cwd: 'web' }];
  expect(find([], { checks, read: readOf('web/check.mjs') })).toEqual(['web/check.mjs']);
});
