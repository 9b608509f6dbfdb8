// Which files a check's words and a runner's settings name, and the kinds of what changed.
import { expect, test } from 'vitest';
import { findNamedFiles, readChange } from '../../src/proof/read-change.ts';
import { configuredChecks } from '../../src/work/work.ts';
import { openTemp } from '../git/open.ts';

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
  ['{"scripts": {"test": "jest --config jest.unit.json --ci"}}', 'jest.unit.json'],
  ['--require spec_helper.rb', 'spec/spec_helper.rb'],
])('%s loads %s', (text, file) => {
  expect(find([file, 'src/a.ts'], { settings: [text] })).toEqual([file]);
});

test.each([
  ['npx jest --config=ci/jest.unit.json', 'ci/jest.unit.json'],
  ['cd web && pytest -q -c ci.ini', 'web/ci.ini'],
  ['coverage run --rcfile=ci/all.txt -m pytest', 'ci/all.txt'],
  ['node -c src/a.ts && eslint --no-config-lookup src/a.ts', undefined],
  ['node src/a.ts --config=config/app.json', undefined],
])('%s is configured by %s', (command, file) => {
  expect(find([file ?? 'config/app.json', 'src/a.ts'], { checks: [{ command, cwd: '.' }] })).toEqual(
    file ? [file] : [],
  );
});

test('what a program of the work reads configures no runner', () => {
  const settings = ['{"scripts": {"test": "jest", "start": "node src/a.ts --config config/app.json"}}'];
  expect(find(['config/app.json'], { settings })).toEqual([]);
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

test('a change has its kind by what checks do with it, by its old name where that says more, and by what is beside it', async () => {
  const code = 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\n';
  const files = {
    ...{ 'vitest.config.ts': code, 'web/want.md': 'old\n', 'docs/a.md': 'old\n' },
    ...{ 'src/a.ts': code, 'test/a.test.ts': code },
  };
  await using made = await openTemp({ files });
  const base = await made.oid();
  await made.temp.git('mv', 'vitest.config.ts', 'settings.ts');
  for (const file of ['web/want.md', 'docs/a.md', 'src/a.ts', 'test/new.ts'])
    await made.temp.write(file, 'new\n');
  await made.temp.git('add', '-A');
  await made.temp.git('commit', '-qm', 'work');
  const checks = configuredChecks(['node ../out.mjs | diff - want.md'], 'web');
  const change = await readChange(made.repo, { base, head: 'HEAD' }, { checks, except: ['docs/a.md'] });
  expect(change.map(({ file, kind, isBesideTests }) => [file, kind, isBesideTests])).toEqual([
    ['settings.ts', 'config', false],
    ['src/a.ts', 'source', false],
    ['test/new.ts', 'test', true],
    ['web/want.md', 'support', false],
  ]);
});

test('tests in a file of Rust are a change of their own: of the code as it is, and it of them', async () => {
  const rust = (code: string, test?: string) =>
    `${code}\n${test === undefined ? '' : `\n#[cfg(test)]\nmod tests {\n    ${test}\n}\n`}`;
  const onUnix = (text: string) => text.replace('(test)', '(all(test, unix))').replaceAll('{\n', '{\r\n');
  const files = {
    'src/both.rs': rust('old', 'four'),
    'src/bent.rs': onUnix(rust('code', 'four')),
    'src/code.rs': rust('old', 'four'),
    'src/first.rs': rust('code'),
    'src/raw.rs': rust('old', 'four'),
  };
  await using made = await openTemp({ files });
  const base = await made.oid();
  const raw = 'six(r#"\n{\n}\n"#);';
  const now = {
    'src/both.rs': rust('new', 'six'),
    'src/bent.rs': onUnix(rust('code', 'six')),
    'src/code.rs': rust('new', 'four'),
    'src/first.rs': rust('code', 'six'),
    'src/new.rs': rust('new', 'six'),
    'src/raw.rs': rust('new', raw),
  };
  for (const [file, text] of Object.entries(now)) await made.temp.write(file, text);
  await made.temp.commit('work');
  const change = await readChange(made.repo, { base, head: 'HEAD' }, { checks: [] });
  expect(change.map(({ file, kind, before }) => [file, kind, before?.text])).toEqual([
    ['src/bent.rs', 'test', onUnix(rust('code', 'four'))],
    ['src/both.rs', 'source', rust('old', 'six')],
    ['src/both.rs', 'test', rust('new', 'four')],
    ['src/code.rs', 'source', rust('old', 'four')],
    ['src/first.rs', 'test', `${rust('code')}\n\n`],
    ['src/new.rs', 'source', undefined],
    ['src/raw.rs', 'source', rust('old', raw)],
    ['src/raw.rs', 'test', rust('new', 'four')],
  ]);
});
