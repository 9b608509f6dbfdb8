import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { digestText } from '../../../src/digest.ts';
import type { Event, Fact } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import type { Place } from '../../../src/place/place.ts';
import { acceptEdits, readPlanWithEdits } from '../../../src/work/edits/external-edits.ts';
import type { WorkPlace } from '../../../src/work/landing.ts';
import { writeTreeNow } from '../../../src/work/tree/work-tree.ts';
import { type Opened, openTemp } from '../../git/open.ts';
import { fact, stampAll } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const open =
  '# Plan: P\n\n### Task 1: a\n- check: `true`\n- [ ] b\n\n### Task 2: c\n- check: `true`\n- [ ] d\n';
const ticked = open.replace('[ ] b', '[x] b');

/** Takes the plan with that text after those facts; the facts it told. */
function take(text: string, facts: readonly Fact[]): readonly Event[] {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'plan.md');
  writeFileSync(file, text);
  const told: Event[] = [];
  const state = foldRun(stampAll([fact('run-started'), ...facts]));
  readPlanWithEdits({
    plan: { file, name: 'plan.md', tracked: true },
    run: {
      folder: folder.path,
      config: configSchema.parse({}),
      state: () => state,
      emit: (event: Event) => told.push(event),
      options: {},
    },
  } as unknown as WorkPlace);
  return told;
}

it('names what is left for a person without its mark', () => {
  const [told] = take(open.replace('[ ] d', '[ ] d\n- [ ] look (manual)\n- [x] smell (manual)'), []);
  expect(told).toMatchObject({ tasks: [{ manual: [] }, { manual: ['look'] }] });
});

const read = fact('plan-read', { hash: digestText(open) });
const closed = fact('task-closed', { task: '1', planHash: digestText(ticked) });

it.each<[string, string, Fact[], number]>([
  ['a plan that was never read is told', open, [], 1],
  ['one that is as it was is not', open, [read], 0],
  ['nor one that pawl alone has ticked', ticked, [read, closed], 0],
  ['one that a person ticked is', ticked, [read], 1],
  ['and one that changed beside pawl’s ticks', ticked.replace('d', 'e'), [read, closed], 1],
])('%s', (_, text, facts, times) => {
  expect(take(text, facts).map(({ type }) => type)).toEqual(Array(times).fill('plan-read'));
});

it('tells what a person ticked between two starts', () => {
  const unticked = fact('plan-read', {
    hash: digestText(open),
    tasks: [{ id: '1', title: 'a', closed: false, steps: 1, manual: [] }],
  });
  expect(take(ticked, [unticked])).toMatchObject([
    { type: 'plan-read' },
    { type: 'intervention', kind: 'tick', task: '1' },
  ]);
});

/** Where a run was stopped. */
function placeIn({ repo, index }: Opened): (takeEdits: boolean) => Place {
  const state = foldRun(stampAll([fact('run-started')]));
  const run = { config: configSchema.parse({}), state: () => state };
  const plan = { name: 'plan.md' };
  return (takeEdits) => ({ repo, index, plan, run: { ...run, options: { takeEdits } } }) as unknown as Place;
}

const edit = 'config -f half.txt a.b c';

it.each<[string, string[], string | undefined, boolean?]>([
  ['changes nothing', [], undefined],
  ['restores it', ['checkout -q -- half.txt'], 'restored to the last commit by hand: half.txt'],
  ['edits and commits it', [edit, 'commit -qam mine'], 'commits were made or removed by hand'],
  ['edits it', [edit], 'taken into the open task: half.txt', true],
])('of work left in the tree a person %s', async (_, does, told, refused = false) => {
  await using made = await openTemp({ files: { 'half.txt': '\n' } });
  const at = placeIn(made);
  await made.temp.write('half.txt', '# half\n');
  const left = { tree: (await writeTreeNow(at(false))).tree, head: await made.oid() };
  for (const args of does) await made.temp.git(...args.split(' '));
  const accepted = acceptEdits(at(false), left);
  if (refused) await expect(accepted).rejects.toThrow('files changed since the run stopped: half.txt');
  else await accepted;
  expect((await acceptEdits(at(true), left))?.told).toEqual(told && [told]);
});

it.each([
  ['sparse', 'disable', 'set src', ''],
  ['whole again', 'set src', 'disable', 'docs/a.txt'],
])('a checkout that a person made %s is no edit, and work in it is seen', async (_, was, is, work) => {
  await using made = await openTemp({ files: { 'src/a.txt': 'a\n', 'docs/a.txt': 'a\n' } });
  const place = placeIn(made)(false);
  const { git } = made.temp;
  await git('sparse-checkout', ...was.split(' '));
  const { tree } = await writeTreeNow(place);
  await git('sparse-checkout', ...is.split(' '));
  expect(await acceptEdits(place, { tree })).toBeUndefined();
  if (work !== '') await made.temp.write(work, 'work\n');
  expect(await git('diff', '--name-only', tree, (await writeTreeNow(place)).tree)).toBe(work);
});
