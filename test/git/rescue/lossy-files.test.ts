// Tracked files that git would not check out again as they are: a rescue point holds their bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { followBranch } from '../../../src/git/lane/follow.ts';
import { replayRescue } from '../../../src/git/rescue/replay-rescue.ts';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreRescue } from '../../../src/git/rescue/rescue-list.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { share } from '../../helpers/share.ts';
import { type Opened, openTemp } from '../open.ts';

const code = '{"code": 1}\n';
const ran = '{"code": 1}\n"out": 7\n';
const strip = { 'filter.strip.clean': 'sed \'/"out"/d\'', 'filter.swap.clean': 'tr a-z b-za' };
const swap = { ...strip, 'filter.swap.smudge': 'tr b-za a-z' };

/** A notebook that is committed as `code`, in a folder that has the attributes. */
async function open(attributes: string, config: Readonly<Record<string, string>> = strip): Promise<Opened> {
  const made = await openTemp({ files: { 'a.ts': 'a\n' } });
  for (const [key, value] of Object.entries(config)) await made.temp.git('config', key, value);
  await made.temp.write('lab/.gitattributes', attributes);
  await made.temp.write('lab/n.ipynb', code);
  await made.temp.commit('lab');
  return made;
}

const later = '{"code": 1}\n"out": 9\n';

/** Results that git sees and leaves out: its status shows nothing. */
async function run({ temp }: Opened, results: string): Promise<void> {
  await temp.write('lab/n.ipynb', results);
  await temp.git('add', 'lab/n.ipynb');
  expect(await temp.git('status', '--porcelain', 'lab')).toBe('');
}

const optionsOf = (made: Opened) => ({ run: 'r', index: `${made.index}.rescue` });
const save = (made: Opened, reason = 'test') => saveRescue(made.repo, { ...optionsOf(made), reason });
const bytesOf = async (made: Opened, point: string) => made.repo.git(['show', `${point}:lab/n.ipynb`]);

const files: readonly (readonly [string, string, string, boolean])[] = [
  ['a changed notebook', '*.ipynb filter=strip\n', '{"code": 2}\n"out": 8\n', true],
  ['a notebook that was run', '*.ipynb filter=strip\n', ran, true],
  ['line ends of the other kind', '*.ipynb text eol=crlf\n', 'one\ntwo\n', true],
  ['mixed line ends', '* text=auto\n', 'one\r\ntwo\n', true],
  ['a filter that loses nothing', '*.ipynb filter=swap\n', 'secret\n', false],
  ['line ends that come back', '*.ipynb text eol=crlf\n', 'one\r\ntwo\r\n', false],
  ['an expanded id', '*.ipynb ident\n', '$Id: mine $\n', true],
  ['an encoding that comes back', '*.ipynb working-tree-encoding=ISO-8859-1\n', 'é\n', false],
];
test.each(share(files, 2))('%s', async (_, attributes, content, isExact) => {
  await using made = await open(attributes, swap);
  await made.temp.write('lab/n.ipynb', content);
  const { oid } = await save(made);
  expect((await save(made, 'again')).oid).toBe(oid);
  expect((await bytesOf(made, oid)) === content).toBe(isExact);
  await made.temp.write('lab/n.ipynb', 'written over\n');
  await restoreRescue(made.repo, { ...optionsOf(made), point: oid });
  expect(readFileSync(path.join(made.temp.path, 'lab/n.ipynb'), 'utf8')).toBe(content);
});

test('a repository without attributes is asked for nothing more', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n' } });
  await made.temp.write('a.ts', 'one\r\ntwo\n');
  const asked: string[] = [];
  const repo = {
    ...made.repo,
    bytes: (...args: Parameters<Opened['repo']['bytes']>) => {
      asked.push(args[0][0] ?? '');
      return made.repo.bytes(...args);
    },
  };
  await saveRescue(repo, { ...optionsOf(made), reason: 'test' });
  expect(asked).not.toContain('check-attr');
});

test('a notebook that looked clean comes back with the tree of its point, or by itself', async () => {
  await using made = await open('*.ipynb filter=strip\n');
  await run(made, ran);
  const start = await save(made, 'start');
  expect(await bytesOf(made, start.oid)).toBe(ran);
  await run(made, later);
  await restoreRescue(made.repo, { ...optionsOf(made), point: start.oid });
  expect(readFileSync(path.join(made.temp.path, 'lab/n.ipynb'), 'utf8')).toBe(ran);
  await made.temp.write('lab/n.ipynb', '{"code": 3}\n');
  const rescue = (await save(made, 'before')).oid;
  const tree = await made.oid('HEAD^{tree}');
  await restoreTree(made.repo, { tree, index: made.index, rescue, exact: start.oid });
  expect(readFileSync(path.join(made.temp.path, 'lab/n.ipynb'), 'utf8')).toBe(ran);
});

test.each(
  share(
    [
      ['line ends', '* text=auto\n', 'one\ntwo\n', 'one\r\ntwo\n'],
      ['an id', '*.ipynb ident\n', '$Id$\n', '$Id: mine $\n'],
      ['an encoding', '*.ipynb working-tree-encoding=UTF-16\n', '\ufeffé\n', '\ufffe\ue900\u0a00'],
      ['line ends of the other kind', '*.ipynb text eol=crlf\n', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ],
    2,
  ),
)('a file that only looked clean in its %s comes back as it was', async (_, attributes, first, spelled) => {
  await using made = await open('');
  const bytesOf = (text: string) =>
    attributes.includes('UTF-16') ? Buffer.from(text, 'utf16le') : Buffer.from(text);
  const file = path.join(made.temp.path, 'lab/n.ipynb');
  const put = (text: string) => writeFileSync(file, bytesOf(text));
  await made.temp.write('lab/.gitattributes', attributes);
  put(first);
  await made.temp.commit('first');
  put(spelled);
  await made.temp.git('add', '-A');
  expect(await made.temp.git('status', '--porcelain')).toBe('');
  const start = await save(made, 'start');
  expect((await save(made, 'again')).oid).toBe(start.oid);
  put('over\n');
  const rescue = (await save(made, 'before')).oid;
  await restoreTree(made.repo, { tree: 'HEAD^{tree}', index: made.index, rescue, exact: start.oid });
  expect(readFileSync(file)).toEqual(bytesOf(spelled));
});

test('what only looked clean is nobody’s work that would come back over later results', async () => {
  await using made = await open('*.ipynb filter=strip\n');
  await run(made, ran);
  await made.temp.write('a.ts', 'work\n');
  const { oid: point } = await save(made);
  await made.temp.git('checkout', '-q', 'a.ts');
  await run(made, later);
  const left = await replayRescue(made.repo, {
    ...optionsOf(made),
    point,
    work: made.index,
    keep: new Set(),
  });
  expect(left).toEqual([]);
  expect(await made.temp.read('a.ts')).toBe('work\n');
  expect(await made.temp.read('lab/n.ipynb')).toBe(later);
});

test('a person’s tree that follows its branch keeps a notebook with results', async () => {
  await using made = await open('*.ipynb filter=strip\n');
  const from = await made.oid();
  await made.temp.write('lab/n.ipynb', '{"code": 2}\n');
  await made.temp.git('commit', '-qam', 'theirs');
  const to = await made.oid();
  await made.temp.git('reset', '-q', '--hard', from);
  await run(made, ran);
  await made.temp.git('update-ref', 'refs/heads/main', to);
  expect(await followBranch(made.repo, { from, to })).toEqual(['lab/n.ipynb']);
  expect(await made.temp.read('lab/n.ipynb')).toBe(ran);
});
