import { describe, expect, test } from 'vitest';
import {
  changedKeys,
  guardedSettings,
  includedFiles,
  parseConfig,
} from '../../../src/git/protect/config-text.ts';
import { makeRepo } from '../../helpers/temp-repo.ts';

const texts: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['a plain pair', '[core]\n\tbare = false\n', ['core.bare=false']],
  ['names in any case', '[CoRe]\nBARE=x', ['core.bare=x']],
  ['a sub-section keeps its case', '[branch "Fe/A"]\nmerge=x', ['branch.Fe/A.merge=x']],
  ['the old form of a sub-section', '[branch.Fe]\nmerge=x', ['branch.fe.merge=x']],
  ['a key without a value is true', '[a]\nb\n', ['a.b=true']],
  ['a pair on the header line', '[a] b = c', ['a.b=c']],
  ['comments', '# x\n[a] ; y\nb = c # d\ne = "f # g"\n', ['a.b=c', 'a.e=f # g']],
  ['escapes and quotes', '[a]\nb = "x\\"y\\\\" \\t z\n', ['a.b=x"y\\ \t z']],
  ['a line goes on after a backslash', '[a]\nb = x\\\ny\n', ['a.b=xy']],
  ['a comment does not go on after a backslash', '[a]\n# x \\\nb = c\n', ['a.b=c']],
  ['nor does a comment behind a value', '[a]\nb = c # x \\\nd = e\n', ['a.b=c', 'a.d=e']],
  ['CRLF and BOM', '\ufeff[a]\r\nb = c\r\n', ['a.b=c']],
  ['several values of one key', '[a]\nb=1\nb=2\n', ['a.b=1', 'a.b=2']],
  ['an escaped sub-section', '[a "x\\"y"]\nb=1', ['a.x"y.b=1']],
  ['no section', 'b = c\n', undefined],
  ['nonsense', '[a]\n= c\n', undefined],
  ['an open quote', '[a]\nb = "c\n', undefined],
  ['an unknown escape', '[a]\nb = \\q\n', undefined],
];

describe('parseConfig', () => {
  test.each(texts)('%s', (_, text, expected) => {
    expect(parseConfig(text)?.map(({ key, value }) => `${key}=${value}`)).toEqual(expected);
  });

  test.each(texts.filter(([, , expected]) => expected !== undefined))(
    'git reads the same: %s',
    async (_, text, expected) => {
      await using repo = await makeRepo();
      await repo.write('config-text', text);
      const listed = await repo.git('config', '--file', 'config-text', '--no-includes', '--null', '--list');
      const pairs = listed.split('\0').filter((pair) => pair !== '');
      // git lists a key without a value as the bare key.
      expect(pairs.map((pair) => (pair.includes('\n') ? pair.replace('\n', '=') : `${pair}=true`))).toEqual(
        expected,
      );
    },
  );
});

const guarded =
  'core.hooksPath core.fsmonitor core.worktree core.bare core.sshCommand core.editor core.attributesFile filter.lfs.clean user.email commit.gpgsign include.path includeIf.gitdir:x.path alias.st diff.external diff.x.textconv merge.x.driver remote.origin.url remote.origin.pushurl url.https://x.insteadOf credential.helper gpg.program submodule.a.update branch.main.pushRemote lfs.customtransfer.x.path extensions.worktreeConfig';
const ordinary =
  'branch.main.remote branch.a.b.merge remote.origin.fetch submodule.a.active lfs.repositoryformatversion lfs.https://x/y.access color.ui';

test.each(guarded.split(' '))('%s is guarded', (key) => {
  expect(guardedSettings(asText(key))).toHaveLength(1);
});

test.each(ordinary.split(' '))('%s is ordinary work', (key) => {
  expect(guardedSettings(asText(key))).toEqual([]);
});

test('changed keys are named once, harmless ones not at all', () => {
  const before = '[user]\nname = a\n[branch "x"]\nmerge = y\n';
  expect(changedKeys(before, '[user]\nname = a\n')).toEqual([]);
  expect(changedKeys(before, '[user]\nname = b\n[core]\nbare = true\n')).toEqual(['core.bare', 'user.name']);
  expect(changedKeys('[a]\nb=1\nb=2\n', '[a]\nb=2\nb=1\n')).toEqual(['a.b']);
});

test('a text that cannot be read is one change of everything', () => {
  expect(changedKeys('[a]\nb=1\n', 'broken')).toEqual(['*']);
  expect(changedKeys('broken', 'broken')).toEqual([]);
});

test('included files', () => {
  expect(includedFiles('[include]\npath = a\n[includeIf "gitdir:x/"]\npath = ~/b\n[user]\nname = c')).toEqual(
    ['a', '~/b'],
  );
});

function asText(key: string): string {
  const parts = key.split('.');
  const [section, name] = [parts[0] ?? '', parts.at(-1) ?? ''];
  const sub = parts.slice(1, -1).join('.');
  return `[${section}${sub === '' ? '' : ` "${sub}"`}]\n${name} = x\n`;
}
