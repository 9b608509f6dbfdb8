// Which closed tasks a branch has lost after a squash by hand that kept no close keys.
import { expect, test } from 'vitest';
import { listClosed } from '../../src/journal/task-state.ts';
import { findLost } from '../../src/phase/find-lost.ts';
import { openTemp } from '../git/open.ts';
import { fact, foldFacts } from '../helpers/facts.ts';

test('none, where a task of an earlier number was the last to change a file', async () => {
  await using opened = await openTemp({ files: { a: '0' } });
  const { temp, repo, oid } = opened;
  const base = await oid();
  const close = async (task: string, text: string) => {
    await temp.write('a', text);
    await temp.git('commit', '-qam', task);
    return fact('task-closed', { task, oid: await oid(), key: `k${task}` });
  };
  const facts = [
    ...[fact('run-started', { base }), fact('plan-read')],
    ...[fact('task-started', { task: '1' }), fact('task-started', { task: '2' })],
    ...[await close('2', 'two'), await close('1', 'one')],
  ];
  const state = foldFacts(facts);
  await temp.git('reset', '-q', '--soft', base);
  await temp.git('commit', '-qm', 'all of it');
  const place = { repo, plan: { name: 'p.md' }, run: { state: () => state } };
  const lose = (text: string) => temp.write('a', text).then(() => temp.git('commit', '-qam', text));
  const find = () => findLost(place as never, listClosed(state.tasks.values()));
  expect(await find()).toEqual([]);
  await lose('two');
  expect((await find()).map(({ task }) => task.id)).toEqual(['1']);
});
