import { chmodSync, copyFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changedFiles } from '../../src/git/changes.ts';
import { type WrittenTree, writeTree } from '../../src/git/tree.ts';
import { holdsEntry, withFile } from '../../src/git/with-file.ts';
import { nothingSecret, type Opened, openTemp, rules } from './open.ts';

const files = { 'src/a.ts': 'a\n', 'docs/plan.md': '- [ ] x\n' };
const plan = 'docs/plan.md';

async function write(made: Opened): Promise<Omit<WrittenTree, 'look'>> {
  const options = { against: await made.oid(), rules: rules(), secret: nothingSecret };
  const { look: _, ...told } = await writeTree(made.repo, made.index, options);
  return told;
}

/** Replaces the plan; `asked`: what git was asked for. */
async function replace(
  made: Opened,
  text: string,
  index = made.index,
): Promise<{ tree: string; asked: string[] }> {
  const { write } = made.repo;
  const asked: string[] = [];
  made.repo.write = (label, args, options) => {
    asked.push(args[0] ?? '');
    return write(label, args, options);
  };
  const tree = await withFile(made.repo, index, plan, Buffer.from(text));
  made.repo.write = write;
  return { tree, asked };
}

describe('withFile', () => {
  test('replaces one file’s content, and the next writing reads the work tree again', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'x\n');
    const before = await write(made);
    const { tree, asked } = await replace(made, '- [x] ü\n');
    expect(asked).toEqual(['update-index', 'write-tree']);
    expect(await made.temp.git('show', `${tree}:${plan}`)).toBe('- [x] ü');
    expect((await changedFiles(made.repo, before.tree, tree)).map(({ file }) => file)).toEqual([plan]);
    expect(await made.temp.git('fsck', '--strict', '--no-dangling', tree)).toBe('');
    expect(await write(made)).toEqual(before);
  });

  test('keeps the mode of a program', async () => {
    await using made = await openTemp({ files });
    chmodSync(`${made.temp.path}/${plan}`, 0o755);
    await write(made);
    const { tree } = await replace(made, '- [x] x\n');
    expect(await made.temp.git('ls-tree', tree, plan)).toMatch(/^100755 /);
  });

  test('stores what a commit of that file would: line ends and filters are left to git', async () => {
    await using made = await openTemp({ files: { ...files, '.gitattributes': '*.md text eol=crlf\n' } });
    await made.temp.write(plan, '- [ ] x\r\n');
    await write(made);
    const { tree, asked } = await replace(made, '- [x] x\r\n');
    expect(asked[0]).toBe('hash-object');
    expect(await made.temp.git('cat-file', 'blob', `${tree}:${plan}`)).toBe('- [x] x');
  });

  test('asks git where the index is not known, and where the work tree has another file', async () => {
    await using made = await openTemp({ files });
    await write(made);
    await made.temp.write(plan, '- [ ] y\n');
    expect((await replace(made, '- [x] x\n')).asked[0]).toBe('hash-object');
    await write(made);
    const unknown = `${made.index}.unknown`;
    copyFileSync(made.index, unknown);
    expect((await replace(made, '- [x] x\n', unknown)).asked[0]).toBe('hash-object');
    expect((await replace(made, '- [x] x\n')).asked[0]).toBe('update-index');
  });
});

describe('holdsEntry', () => {
  const oid = Buffer.alloc(20, 7);
  const entry = (flags: number, name: string) =>
    Buffer.concat([Buffer.alloc(40), oid, Buffer.from([flags >> 8, flags & 0xff]), Buffer.from(`${name}\0`)]);
  const long = 'd/'.repeat(2_500);

  test.each([
    ['as it is', entry(4, 'a.md'), 'a.md', true],
    ['after one of the same content', Buffer.concat([entry(4, 'b.md'), entry(4, 'a.md')]), 'a.md', true],
    ['longer than flags can tell', entry(0xfff, `${long}a.md`), `${long}a.md`, true],
    ['another name', entry(4, 'b.md'), 'a.md', false],
    ['a longer name', entry(7, 'a.md.md'), 'a.md', false],
    ['a stage of a merge', entry(0x1004, 'a.md'), 'a.md', false],
    ['assumed to be unchanged', entry(0x8004, 'a.md'), 'a.md', false],
    ['with more flags', entry(0x4004, 'a.md'), 'a.md', false],
    ['cut off', entry(4, 'a.md').subarray(0, 61), 'a.md', false],
  ])('%s', (_, index, name, holds) => expect(holdsEntry(index, oid, name)).toBe(holds));
});
