// Where the work of old commits is after a history was put in order, by table; and what may stand for what, in real git.
import { describe, expect, test } from 'vitest';
import {
  holdsKeys,
  judgeRewrite,
  matchCommits,
  saveRewritten,
} from '../../../src/git/restore/rewritten-history.ts';
import { openTemp } from '../open.ts';

const commit = (oid: string, tree: string, ...keys: readonly string[]) => ({
  oid,
  tree,
  message: `${oid}\n\n${keys.map((key) => `Pawl-Close: ${key}`).join('\n')}`,
});

/** Newest first: what it was, what it is, what has moved where. */
test.each([
  [
    'squashed into one',
    [commit('c', 'T3', 'k3'), commit('b', 'T2', 'k2'), commit('a', 'T1', 'k1')],
    [commit('x', 'T3')],
    'c→x b→x a→x',
  ],
  [
    'the last two squashed',
    [commit('c', 'T3', 'k3'), commit('b', 'T2', 'k2'), commit('a', 'T1', 'k1')],
    [commit('x', 'T3'), commit('a', 'T1', 'k1')],
    'c→x b→x',
  ],
  [
    'reworded, the trailers gone',
    [commit('b', 'T2', 'k2'), commit('a', 'T1', 'k1')],
    [commit('y', 'T2'), commit('x', 'T1')],
    'b→y a→x',
  ],
  [
    'in another order, the trailers kept',
    [commit('b', 'T2', 'k2'), commit('a', 'T1', 'k1')],
    [commit('y', 'T2', 'k1'), commit('x', 'T9', 'k2')],
    'b→x a→y',
  ],
  [
    'by pairs',
    [commit('d', 'T4'), commit('c', 'T3'), commit('b', 'T2'), commit('a', 'T1')],
    [commit('y', 'T4'), commit('x', 'T2')],
    'd→y c→y b→x a→x',
  ],
  ['nothing left of it, since it changed nothing', [commit('a', 'T0')], [], 'a→base'],
  ['a commit put on top', [commit('a', 'T1')], [commit('x', 'T1'), commit('a', 'T1')], ''],
])('%s', (_, old, now, moved) => {
  const found = matchCommits(old, now, now[0]?.oid ?? 'base');
  expect(found.map((one) => `${one.old}→${one.now}`).join(' ')).toBe(moved);
});

describe('in a repository', () => {
  test('the same files on the same base may stand for a history; it is kept once', async () => {
    await using opened = await openTemp();
    const { repo, temp } = opened;
    const { git } = temp;
    const base = await git('rev-parse', 'HEAD');
    for (const letter of ['b', 'c']) {
      await temp.write(`${letter}.txt`, letter);
      await git('add', '-A');
      await git('commit', '-qm', letter);
    }
    const from = await git('rev-parse', 'HEAD');
    const as = (parent: string, tree: string) => git('commit-tree', '-p', parent, '-m', 'x', tree);
    const to = await as(base, 'HEAD^{tree}');
    const rewrite = { base, from, to };
    expect(await judgeRewrite(repo, rewrite)).toBe('same');
    expect(await judgeRewrite(repo, { ...rewrite, to: await as(base, 'HEAD~1^{tree}') })).toBe('other-files');
    const root = await git('commit-tree', '-m', 'x', 'HEAD^{tree}');
    expect(await judgeRewrite(repo, { ...rewrite, to: root })).toBe('other-base');
    const first = await saveRewritten(repo, { ...rewrite, run: 'r' });
    expect(first).toMatchObject({
      kept: 'refs/pawl/r/finalized/001',
      commits: [{ old: from, now: to }, { now: to }],
    });
    expect(await git('rev-parse', first.kept)).toBe(from);
    expect((await saveRewritten(repo, { ...rewrite, run: 'r' })).kept).toBe(first.kept);
  });

  test.each([
    ['all of them, by a rebase', ['k1', 'k2'], true],
    ['one too few', ['k2'], false],
    ['one too many', ['k2', 'k3', 'k1'], true],
  ])('the close keys of a history are in another: %s', async (_, keys, wanted) => {
    await using opened = await openTemp();
    const { git } = opened.temp;
    const base = await git('rev-parse', 'HEAD');
    const chain = async (start: string, names: readonly string[]) => {
      let head = start;
      for (const key of names)
        head = await git('commit-tree', '-p', head, '-m', `x\n\nPawl-Close: ${key}`, 'HEAD^{tree}');
      return head;
    };
    const from = await chain(base, ['k1', 'k2']);
    const main = await git('commit-tree', '-p', base, '-m', 'by others', 'HEAD^{tree}');
    expect(await holdsKeys(opened.repo, { base, from, to: await chain(main, keys) })).toBe(wanted);
  });
});
