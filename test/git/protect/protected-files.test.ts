import { expect, test } from 'vitest';
import { keysBetween, pathsIn } from '../../../src/git/protect/protected-files.ts';
import { openTemp } from '../open.ts';

const fileOf = (text: string) => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 }) as const;

async function changed(before: string, after: string): Promise<readonly string[]> {
  await using made = await openTemp();
  // What is planted takes no part.
  await made.temp.write('.git/config', '[broken');
  return await keysBetween(made.repo, fileOf(before), fileOf(after));
}

const guarded =
  'core.hookspath core.fsmonitor core.worktree core.bare core.sshcommand core.editor core.attributesfile filter.lfs.clean user.email commit.gpgsign include.path includeif.gitdir:x.path alias.st diff.external diff.x.textconv merge.x.driver remote.origin.url remote.origin.pushurl url.https://x.insteadof credential.helper gpg.program submodule.a.update branch.main.pushremote lfs.customtransfer.x.path extensions.worktreeconfig';
const ordinary =
  'branch.main.remote branch.a.b.merge remote.origin.fetch submodule.a.active lfs.repositoryformatversion lfs.https://x/y.access color.ui';

test('what runs programs, redirects git or changes what is committed is guarded, ordinary work is not', async () => {
  const texts = `${guarded} ${ordinary}`.split(' ').map((key) => {
    const [section = '', ...rest] = key.split('.');
    const sub = rest.slice(0, -1).join('.');
    return `[${section}${sub === '' ? '' : ` "${sub}"`}]\n${rest.at(-1)} = x\n`;
  });
  expect(await changed('', texts.join(''))).toEqual(guarded.split(' ').sort());
});

const user = '[user]\nname = a\n';
test.each([
  ['a harmless key', `${user}[branch "x"]\nmerge = y\n`, user, []],
  ['guarded keys', user, '[user]\nname = b\n[core]\nbare = true\n', ['core.bare', 'user.name']],
  ['another order', '[a]\nb=1\nb=2\n', '[a]\nb=2\nb=1\n', ['a.b']],
  ['another spelling', '[a]\nb=1\n', '# x\n[A] B = "1" ; y\n', []],
  ['what cannot be read', '[a]\nb=1\n', '[broken', ['*']],
  ['the same that cannot be read', '[broken', '[broken', []],
])('%s', async (_, before, after, keys) => {
  expect(await changed(before, after)).toEqual(keys);
});

test('included files', () => {
  const text =
    '\ufeff[include]\r\npath = a \r\n[a] [includeIf "gitdir:x/"] path = "~/b \\"c" # d\n path = a"b # "c.d # e\n path = ;\n[difftool "x"]\npath = ../c';
  expect(pathsIn(text, 'include')).toEqual(['a', '~/b "c', 'ab # c.d']);
  // Each would take minutes if each of its characters were looked at again for each before it.
  for (const much of ['\n', ' ', 'path = a  ', '[]'])
    expect(pathsIn(`[include]\npath = x${much.repeat(1e6)}`, 'include')).toHaveLength(1);
});
