import { expect, test } from 'vitest';
import { writeIndexTree } from '../../../src/git/tree/index-file.ts';
import { writeTree } from '../../../src/git/tree/tree.ts';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { tickTree } from '../../../src/work/close/close.ts';
import type { Work } from '../../../src/work/work.ts';
import { type Opened, openTemp, rules } from '../../git/open.ts';

const text = '# Plan\n\n### Task 1: One\n- [ ] do it\n';
const files = { 'plan.md': text, 'a.ts': 'a\n' };

/** A task's work in the tree, as pawl has written it, and what its ticks need to know. */
async function begin(made: Opened, { tracked = true } = {}) {
  const plan = parsePlan(text, 'plan.md');
  const work = { kind: 'task', task: plan.tasks[0], plan } as unknown as Work;
  const { repo, index } = made;
  const place = { repo, index, plan: { name: 'plan.md', tracked } } as unknown as Place;
  await made.temp.write('a.ts', 'work\n');
  const { tree } = await writeTree(repo, index, { rules: rules() });
  return { place, work, tree };
}

const show = (made: Opened, tree: string, file: string) => made.temp.git('show', `${tree}:${file}`);

test('the tree of a close is the one that was checked, with the ticks, in an index of its own', async () => {
  await using made = await openTemp({ files });
  const { place, work, tree } = await begin(made);
  const ticked = await tickTree(place, work, tree);
  expect(ticked.text).toBe(text.replace('[ ]', '[x]'));
  expect(`${await show(made, ticked.tree, 'plan.md')}\n`).toBe(ticked.text);
  expect(await made.temp.git('diff-tree', '-r', '--name-only', tree, ticked.tree)).toBe('plan.md');
  expect(await writeIndexTree(made.repo, made.index)).toBe(tree);
  expect(await writeIndexTree(made.repo, ticked.index)).toBe(ticked.tree);
});

test('an index that is another tree by now changes nothing of that', async () => {
  await using made = await openTemp({ files });
  const { place, work, tree } = await begin(made);
  await made.temp.write('later.ts', 'later\n');
  await writeTree(made.repo, made.index, { rules: rules() });
  const ticked = await tickTree(place, work, tree);
  expect(await made.temp.git('diff-tree', '-r', '--name-only', tree, ticked.tree)).toBe('plan.md');
});

test('a plan that is not tracked is in no tree', async () => {
  await using made = await openTemp({ files });
  const { place, work, tree } = await begin(made, { tracked: false });
  const ticked = text.replace('[ ]', '[x]');
  expect(await tickTree(place, work, tree)).toEqual({ text: ticked, tree, index: made.index });
});
