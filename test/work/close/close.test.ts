import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { digestText } from '../../../src/digest.ts';
import type { Event } from '../../../src/event.ts';
import { writeIndexTree } from '../../../src/git/tree/index-file.ts';
import { writeTree } from '../../../src/git/tree/tree.ts';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { tickTree, untickPlan } from '../../../src/work/close/close.ts';
import { tickInPlace } from '../../../src/work/close/confirm-close.ts';
import type { Work } from '../../../src/work/work.ts';
import { type Opened, openTemp, rules } from '../../git/open.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

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

const ticked = text.replace('[ ]', '[x]');
const edited = `${ticked}\nA note.\n`;

test.each([
  ['pawl’s own ticks go without a word', ticked, [], undefined],
  ['what else was written meanwhile is set aside', edited, ['plan-edit-set-aside', 'act-found'], edited],
])('%s', (_, now, facts, kept) => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'plan.md');
  writeFileSync(file, now);
  const told: Event[] = [];
  const run = {
    folder: folder.path,
    state: () => ({ setAside: [] }),
    emit: (event: Event) => told.push(event),
  };
  const plan = parsePlan(text, file);
  const work = { kind: 'task', task: plan.tasks[0], plan } as unknown as Work;
  untickPlan({ plan: { file, name: 'plan.md' }, run } as unknown as Place, work);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(told.map(({ type }) => type)).toEqual(facts);
  if (kept) expect(readFileSync(path.join(folder.path, 'plan-001.proposed.md'), 'utf8')).toBe(kept);
});

test('a plan that is in no commit is ticked with what was written into it meanwhile', () => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'plan.md');
  writeFileSync(file, edited.replace('[x]', '[ ]'));
  const start = { title: 'One', titleHash: digestText('One') };
  const state = () => ({ tasks: new Map([['1', { id: '1', start }]]), fixes: new Map() });
  tickInPlace({ plan: { file }, run: { state } } as unknown as Place, '1');
  expect(readFileSync(file, 'utf8')).toBe(edited);
});
