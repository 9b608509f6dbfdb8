import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseIndexFlags } from '../../src/git/index-flags.ts';
import { type Opened, openTemp } from './open.ts';

const files = {
  'a.ts': 'a\n',
  'src/one/b.ts': 'b\n',
  'src/one/c.ts': 'c\n',
  'src/two/long-enough-to-cross-a-boundary.ts': 'd\n',
  'ü.ts': 'e\n',
};

const indexOf = (made: Opened): Buffer => readFileSync(path.join(made.repo.gitDir, 'index'));

test.each([2, 3, 4])('the flags of an index of version %i, as git tells them', async (version) => {
  await using made = await openTemp({ files });
  await made.temp.git('update-index', `--index-version=${version}`);
  await made.temp.git('update-index', '--assume-unchanged', 'a.ts', 'src/one/c.ts', 'ü.ts');
  await made.temp.git(
    'update-index',
    '--skip-worktree',
    'src/one/c.ts',
    'src/two/long-enough-to-cross-a-boundary.ts',
  );
  const listed = (await made.temp.git('ls-files', '-v', '-z'))
    .split('\0')
    .filter((line) => /^(S|[a-z])/.test(line));
  const flags = parseIndexFlags(indexOf(made), 20);
  const told = [...(flags ?? [])].map(([raw, tag]) => `${tag} ${Buffer.from(raw, 'latin1').toString()}`);
  expect(told).toEqual(listed);
  expect(told).toHaveLength(4);
});

test('an index without flags, and one with a conflict', async () => {
  await using made = await openTemp({ files });
  expect(parseIndexFlags(indexOf(made), 20)).toEqual(new Map());
  const [one, two] = [await made.oid('HEAD:a.ts'), await made.oid('HEAD:src/one/b.ts')];
  const zero = '0'.repeat(40);
  const lines = [`0 ${zero} 0\ta.ts`, `100644 ${one} 2\ta.ts`, `100644 ${two} 3\ta.ts`];
  await made.repo.write('conflict', ['update-index', '--index-info'], { input: `${lines.join('\n')}\n` });
  expect(parseIndexFlags(indexOf(made), 20)).toEqual(new Map());
});

test.each([
  ['split', ['update-index', '--split-index']],
  ['sparse', ['sparse-checkout', 'set', '--cone', '--sparse-index', 'src/one']],
])('a %s index is left to git', async (_, command) => {
  await using made = await openTemp({ files });
  await made.temp.git(...command);
  expect(parseIndexFlags(indexOf(made), 20)).toBeUndefined();
});

test('what is no index, and half of one, is none', async () => {
  await using made = await openTemp({ files });
  const bytes = indexOf(made);
  expect(parseIndexFlags(Buffer.from('{}'), 20)).toBeUndefined();
  expect(parseIndexFlags(bytes.subarray(0, 200), 20)).toBeUndefined();
  expect(parseIndexFlags(bytes, 32)).toBeUndefined();
});
