// Which part of a configuration file is put back: what decides checks, and nothing of the product.
import { expect, test } from 'vitest';
import { putBackText } from '../../src/proof/put-back.ts';

test('package.json: scripts and tools of before, dependencies of now', () => {
  const before = { name: 'x', scripts: { test: 'jest' }, jest: { bail: true }, dependencies: { a: '1' } };
  const now = {
    name: 'x',
    scripts: { test: 'true' },
    mocha: {},
    dependencies: { a: '1', b: '2' },
    bin: 'cli.js',
  };
  expect(JSON.parse(putBackText('web/package.json', JSON.stringify(before), JSON.stringify(now)))).toEqual({
    ...{ name: 'x', dependencies: { a: '1', b: '2' }, bin: 'cli.js' },
    ...{ scripts: { test: 'jest' }, jest: { bail: true } },
  });
});

test.each([
  [['a', 'b'], ['a'], ['a', 'b']],
  [['*'], ['*', '!b'], ['*']],
  [
    ['a', '!c'],
    ['a', '!c', 'b'],
    ['a', '!c', 'b'],
  ],
  [['*', '!b'], ['*'], ['*']],
  [{ packages: ['a', 'b'] }, ['*'], ['*', 'a', 'b']],
  [{ packages: ['a'] }, { packages: ['a', 'b'] }, { packages: ['a', 'b'] }],
  [undefined, ['a'], ['a']],
])('package.json: workspaces %j, now %j: %j', (old, now, expected) => {
  const [before, after] = [{ workspaces: old }, { workspaces: now }].map((one) => JSON.stringify(one));
  expect(JSON.parse(putBackText('package.json', before ?? '', after ?? ''))).toEqual({
    workspaces: expected,
  });
});

test('package.json that is none: all of it', () => {
  expect(putBackText('package.json', '{"a":1}', '{')).toBe('{"a":1}');
});

test('pyproject.toml: tables of tools of before, the project of now; an array is no table', () => {
  const before =
    '[project]\nname = "x"\n\n[tool.tox]\ncommands = [\n  ["pytest", "-v"],\n]\n\n[tool.uv]\na = 1\n';
  const now =
    '[project]\nname = "x"\ndependencies = ["y"]\n\n[tool.tox]\ncommands = [\n  ["true"],\n]\n[tool.uv]\na = 2\n';
  const put = putBackText('pyproject.toml', before, now);
  expect(put).toContain('dependencies = ["y"]');
  expect(put).toContain('["pytest", "-v"],');
  expect(put).not.toContain('["true"]');
  expect(put).toContain('a = 2');
});

test('Cargo.toml: tests and lints of before, dependencies of now', () => {
  const before = '[package]\nname = "x"\n\n[[test]]\nname = "a"\n\n[dependencies]\n';
  const now = '[package]\nname = "x"\n\n[[test]]\nname = "a"\ntest = false\n\n[dependencies]\nserde = "1"\n';
  const put = putBackText('Cargo.toml', before, now);
  expect(put).toContain('serde');
  expect(put).not.toContain('test = false');
});

test('another file: all of it', () => {
  expect(putBackText('tox.ini', 'a', 'b')).toBe('a');
});
